import { useEffect, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Labelled, TextField } from '../ui/field'

interface NameDialogProps {
  open: boolean
  title: string
  label: string
  action: string
  initial?: string
  onClose(): void
  onName(name: string): void
}

/** Asks for one name. */
export function NameDialog({ open, title, label, action, initial = '', onClose, onName }: NameDialogProps) {
  const [name, setName] = useState(initial)
  useEffect(() => {
    if (open) setName(initial)
  }, [open, initial])
  return (
    <Dialog open={open} onOpen={(next) => !next && onClose()} title={title} width={380}>
      <form
        className="form-rows"
        onSubmit={(event) => {
          event.preventDefault()
          if (!name.trim()) return
          onName(name.trim())
          onClose()
        }}
      >
        <Labelled label={label}>
          {(ids) => <TextField {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Labelled>
        <div className="row">
          <span className="grow" />
          <Button type="submit" tone="primary" disabled={!name.trim()}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
