-- causetc for nvim-lint (Neovim 0.9.5 or later): save it below lua/, then call require("causetc").

-- byte_column turns a column in code points into the byte column that Neovim counts, from 0.
local function byte_column(bufnr, position)
  local line = vim.api.nvim_buf_get_lines(bufnr, position.line - 1, position.line, false)[1] or ""
  local byte = vim.fn.byteidxcomp(line, position.column - 1)
  return byte < 0 and #line or byte
end

local severities = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  info = vim.diagnostic.severity.INFO,
  hint = vim.diagnostic.severity.HINT,
}

local function parse(output, bufnr)
  local ok, report = pcall(vim.json.decode, output)
  if not ok then
    return {}
  end
  local found = {}
  for _, f in ipairs(report.findings) do
    table.insert(found, {
      lnum = f.start.line - 1,
      col = byte_column(bufnr, f.start),
      end_lnum = f["end"].line - 1,
      end_col = byte_column(bufnr, f["end"]),
      severity = severities[f.severity],
      message = f.message,
      code = f.rule,
      source = "causetc",
    })
  end
  return found
end

vim.filetype.add({ extension = { causet = "yaml.causet" } })

local lint = require("lint")
-- The text comes from the buffer, saved or not; the rest of the program from the disk.
lint.linters.causetc = function()
  local file = vim.api.nvim_buf_get_name(0)
  return {
    cmd = "causetc",
    args = { "lint", "--format", "json", "--fail-on", "never", "--stdin-filename", file, "--only", file },
    stdin = true,
    append_fname = false,
    parser = parse,
  }
end
lint.linters_by_ft["yaml.causet"] = { "causetc" }

vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "TextChanged", "InsertLeave" }, {
  pattern = "*.causet",
  callback = function()
    lint.try_lint()
  end,
})
