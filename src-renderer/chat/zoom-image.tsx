import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/button'
import { cx } from '../ui/class-names'

interface ZoomImageProps {
  src: string
  alt: string
  className?: string
}

/** A picture that opens large; a second click shows its real size. */
export function ZoomImage({ src, alt, className }: ZoomImageProps) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  const [real, setReal] = useState(false)
  return (
    <Dialog.Root onOpenChange={() => setReal(false)}>
      <Dialog.Trigger asChild>
        <button type="button" className="image-button" aria-label={t('image.open', { name: alt })}>
          <img src={src} alt={alt} className={className} />
        </button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim dark" />
        <Dialog.Content className="zoomed" aria-describedby={undefined}>
          <Dialog.Title className="vh">{alt}</Dialog.Title>
          <button
            type="button"
            className={cx('zoomed-image', real && 'real')}
            aria-label={t('image.size')}
            onClick={() => setReal(!real)}
          >
            <img src={src} alt={alt} />
          </button>
          <Dialog.Close asChild>
            <IconButton icon="x" label={t('common:close')} className="zoomed-close" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
