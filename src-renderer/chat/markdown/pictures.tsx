import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon'
import { ZoomImage } from '../zoom-image'

export function ShownPicture({ src, alt }: { src: string; alt: string }) {
  return <ZoomImage src={src} alt={alt} className="picture" />
}

/** A picture that lies on a server: a link, because showing it would tell that server who reads. */
export function RemotePicture({ src, alt }: { src: string; alt: string }) {
  const { t } = useTranslation(['chat', 'common', 'app'])
  return (
    <a className="remote-picture" href={src} target="_blank" rel="noopener noreferrer">
      <Icon name="image" size={14} />
      {alt || t('image.remote')}
      <span className="dim">{hostOf(src)}</span>
    </a>
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}
