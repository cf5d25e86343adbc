import { type CallInput, call } from '../../api/client'
import { saveFile } from '../../ui/save-file'
import { showError } from '../../ui/toast'

export async function exportMemories(wanted: CallInput<'memory.export'>): Promise<void> {
  try {
    const { fileName, dataBase64 } = await call('memory.export', wanted)
    saveFile(fileName, dataBase64, wanted.format === 'markdown' ? 'text/markdown' : 'application/x-ndjson')
  } catch (error) {
    showError(error)
  }
}
