import { create } from 'zustand'

const useAnnouncement = create<{ text: string }>(() => ({ text: '' }))

/** Says one thing to screen readers, politely. Nothing is shown. */
export function announce(text: string): void {
  useAnnouncement.setState({ text: '' })
  setTimeout(() => useAnnouncement.setState({ text }), 50)
}

/** Stands once in the shell. */
export function Announcer() {
  const text = useAnnouncement((state) => state.text)
  return (
    <div className="vh" role="status" aria-live="polite">
      {text}
    </div>
  )
}
