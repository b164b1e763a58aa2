package fold

// FirstProjection returns the name of the first projection that the event type is for, or "" where there is none.
func (g *Group) FirstProjection(eventType string) string {
	if handlers := g.events[eventType]; len(handlers) > 0 {
		return handlers[0].projection
	}
	return ""
}
