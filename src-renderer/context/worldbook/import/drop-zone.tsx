import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon'
import { ImportDialog } from './import-dialog'
import { startImport, textFile } from './import-store'

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')

/** Takes dropped and pasted books anywhere on the page, and shows their report. */
export function DropZone({ children }: { children: ReactNode }) {
  const { t } = useTranslation('worldbook')
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  usePaste()
  const end = () => {
    depth.current = 0
    setOver(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has its keyboard way in the import button and in pasting
    <div
      className="drop-zone"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
        depth.current += 1
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (hasFiles(event) && --depth.current <= 0) end()
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        end()
        void startImport([...event.dataTransfer.files])
      }}
    >
      {children}
      {over && (
        <div className="drop-over" aria-hidden="true">
          <div>
            <Icon name="down2" size={20} />
            <p className="strong">{t('import.drop')}</p>
            <p className="small mid">{t('import.dropHelp')}</p>
          </div>
        </div>
      )}
      <ImportDialog />
    </div>
  )
}

/** Outside a field, pasted files and pasted JSON are books to look at. */
function usePaste(): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { clipboardData: data } = event
      if (!data || isField(event.target)) return
      const text = textFile(data.getData('text'))
      const files = data.files.length > 0 ? [...data.files] : text ? [text] : []
      if (files.length === 0) return
      event.preventDefault()
      void startImport(files)
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [])
}
