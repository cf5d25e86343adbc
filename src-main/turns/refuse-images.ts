import { AppError } from '../ipc/app-error'
import { said } from '../ipc/said-contract'
import type { Attachment } from '../sessions/composer-contract'
import type { ModelTarget } from './ports'

export const isImage = (attachment: Pick<Attachment, 'mediaType'>): boolean => attachment.mediaType.startsWith('image/')

/** Said before anything leaves: a server would answer with an error of its own, or count what it cannot see. @throws bad_input */
export function refuseImages({ model }: ModelTarget, attachments: readonly Attachment[]): void {
  if (model.capabilities.vision) return
  const names = attachments.filter(isImage).map((attachment) => `"${attachment.name}"`)
  if (names.length === 0) return
  throw new AppError(
    'bad_input',
    said`${model.name} is not known to read images, so ${names.join(', ')} did not leave. Choose another model, take ${names.length === 1 ? said`the image` : said`the images`} out, or switch Images on for this model in Settings → Connections.`,
    { details: { capability: 'vision' } },
  )
}
