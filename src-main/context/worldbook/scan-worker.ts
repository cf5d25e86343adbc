import { serveThread } from '../../ipc/serve-thread'
import { runScanTask, type ScanAnswer, type ScanTask } from './scan-task'

serveThread<ScanTask, ScanAnswer>('worldbook-scan', runScanTask)
