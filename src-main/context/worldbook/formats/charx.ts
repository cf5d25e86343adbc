// the package's Node build declares a `require` of its own, which the bundler's worker chunk declares again
import { unzipSync } from 'fflate/browser'
import { AppError } from '../../../ipc/app-error'
import { IMPORT_LIMITS } from './limits'
import type { JsonWarning } from './parse-json'

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 0x03 || bytes[2] === 0x05)
}

interface Contents {
  cards: number
  members: number
  modules: number
}

/** Only the first card.json is inflated, into a buffer of its declared size, so nothing else can grow. */
function inflateCard(bytes: Uint8Array, contents: Contents): Record<string, Uint8Array> {
  return unzipSync(bytes, {
    filter(file) {
      contents.members++
      if (contents.members > IMPORT_LIMITS.zipMembers) {
        throw new AppError(
          'import.too_large',
          'The archive holds more than 20,000 files, which no character card does.',
        )
      }
      if (file.name.endsWith('.risum')) contents.modules++
      if (file.name !== 'card.json' || contents.cards > 0) return false
      contents.cards++
      if (file.originalSize > IMPORT_LIMITS.jsonBytes) {
        throw new AppError(
          'import.too_large',
          'The card.json inside the archive unpacks to more than 64 MB. A real card never does: get it elsewhere.',
        )
      }
      return true
    },
  })
}

/**
 * The bytes of `card.json` in a CHARX archive.
 * @throws AppError `import.unreadable` | `import.too_large`
 */
export function readCharx(bytes: Uint8Array, warnings: JsonWarning[]): Uint8Array {
  const contents: Contents = { cards: 0, members: 0, modules: 0 }
  let files: Record<string, Uint8Array>
  try {
    files = inflateCard(bytes, contents)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('import.unreadable', 'The archive is damaged or encrypted. Download it again.', { cause: error })
  }
  const card = Object.hasOwn(files, 'card.json') ? files['card.json'] : undefined
  if (!card) {
    throw new AppError(
      'import.unreadable',
      'The archive holds no card.json, so it is no CHARX card. Unpack it and import the worldbook file inside.',
    )
  }
  if (contents.modules > 0) {
    warnings.push({ code: 'risu_module', message: "RisuAI's own module inside the card was not read." })
  }
  return card
}
