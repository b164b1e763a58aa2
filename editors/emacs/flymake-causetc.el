;;; flymake-causetc.el --- causetc for Flymake  -*- lexical-binding: t; -*-

;; (require 'flymake-causetc)
;; (add-to-list 'auto-mode-alist '("\\.causet\\'" . yaml-mode))
;; (add-hook 'yaml-mode-hook #'flymake-causetc-setup)

;;; Code:

(require 'flymake)
(require 'json)

(defvar-local flymake-causetc--process nil)

(defun flymake-causetc--place (position)
  "Return the buffer position of POSITION, a place in a report."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (forward-line (1- (alist-get 'line position)))
      (min (line-end-position) (+ (point) (1- (alist-get 'column position)))))))

(defun flymake-causetc--diagnostic (source finding)
  "Return the diagnostic of FINDING in the buffer SOURCE."
  (with-current-buffer source
    (let ((from (flymake-causetc--place (alist-get 'start finding)))
          (to (flymake-causetc--place (alist-get 'end finding))))
      (flymake-make-diagnostic
       source from (max to (min (1+ from) (1+ (buffer-size))))
       (pcase (alist-get 'severity finding)
         ("error" :error) ("warning" :warning) (_ :note))
       (format "%s [%s]" (alist-get 'message finding) (alist-get 'rule finding))))))

(defun flymake-causetc--report (source text report-fn)
  "Report to REPORT-FN what TEXT, a report as JSON, says of the buffer SOURCE."
  (condition-case nil
      (let ((report (json-parse-string text :object-type 'alist :array-type 'list)))
        (funcall report-fn
                 (mapcar (lambda (finding) (flymake-causetc--diagnostic source finding))
                         (alist-get 'findings report))))
    (error (funcall report-fn nil :explanation text))))

(defun flymake-causetc (report-fn &rest _)
  "Check the current buffer with causetc; a backend that reports to REPORT-FN."
  (when (process-live-p flymake-causetc--process)
    (kill-process flymake-causetc--process))
  (let ((source (current-buffer)))
    (setq flymake-causetc--process
          (make-process
           :name "causetc" :noquery t :connection-type 'pipe :coding 'utf-8-unix
           :buffer (generate-new-buffer " *causetc*")
           :command (list "causetc" "lint" "--format" "json" "--fail-on" "never"
                          "--stdin-filename" buffer-file-name "--only" buffer-file-name)
           :sentinel
           (lambda (process _event)
             (when (memq (process-status process) '(exit signal))
               (unwind-protect
                   (when (and (buffer-live-p source)
                              (eq process (buffer-local-value 'flymake-causetc--process source)))
                     (flymake-causetc--report
                      source (with-current-buffer (process-buffer process) (buffer-string)) report-fn))
                 (kill-buffer (process-buffer process)))))))
    (save-restriction
      (widen)
      (process-send-region flymake-causetc--process (point-min) (point-max))
      (process-send-eof flymake-causetc--process))))

;;;###autoload
(defun flymake-causetc-setup ()
  "Check this buffer with causetc if it holds a spec."
  (when (and buffer-file-name (string-match-p "\\.causet\\'" buffer-file-name))
    (add-hook 'flymake-diagnostic-functions #'flymake-causetc nil t)
    (flymake-mode 1)))

(provide 'flymake-causetc)
;;; flymake-causetc.el ends here
