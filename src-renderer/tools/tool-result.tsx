import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client'
import { imageUrl } from '../chat/attachment-list'
import { ZoomImage } from '../chat/zoom-image'
import { Button } from '../ui/button'
import { fromBase64, saveText } from '../ui/save-file'
import { showError } from '../ui/toast'

interface ResultImagesProps {
  images: readonly { sha256: string; mediaType: string }[]
  tool: string
}

/** Pictures a tool sent back. */
export function ResultImages({ images, tool }: ResultImagesProps) {
  const [urls, setUrls] = useState<readonly string[]>([])
  useEffect(() => {
    let gone = false
    Promise.all(images.map((image) => imageUrl(image.sha256))).then(
      (read) => !gone && setUrls(read),
      () => undefined, // the result's text says what was sent
    )
    return () => {
      gone = true
    }
  }, [images])
  return (
    <div className="tool-images">
      {urls.map((url, at) => (
        <ZoomImage key={images[at]?.sha256} src={url} alt={`${tool} ${at + 1}`} />
      ))}
    </div>
  )
}

const SHOWN = 200_000

/** The model got a part; the whole text stays in the record. */
export function FullResult({ sha256 }: { sha256: string }) {
  const { t } = useTranslation('tools')
  const [text, setText] = useState<string | null>(null)
  const read = async () => {
    try {
      const { dataBase64 } = await call('attachments.read', { sha256 })
      setText(new TextDecoder().decode(fromBase64(dataBase64)))
    } catch (error) {
      showError(error)
    }
  }
  if (text === null) {
    return (
      <div className="tool-full">
        <Button small onClick={() => void read()}>
          {t('result.full')}
        </Button>
      </div>
    )
  }
  return (
    <div className="tool-full">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{text.slice(0, SHOWN)}</pre>
      {text.length > SHOWN && (
        <Button small icon="download" onClick={() => saveText('tool-result.txt', text)}>
          {t('result.save')}
        </Button>
      )}
    </div>
  )
}
