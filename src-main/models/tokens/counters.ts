import type { Worker } from 'node:worker_threads'
import type { WriteDatabase } from '../../storage/database'
import type { TokenCounter } from '../contract'
import { type Calibration, readCalibration, saveCalibration, splitModelId } from '../repository'
import { tokenisationOf } from './encoding'
import { estimateTokens } from './estimate'
import { createExactCounts } from './exact-counts'
import { startTokenWorker } from './start-worker'

const NEW_WEIGHT = 0.3
const LEAST_TOKENS = 500
const LEAST_FACTOR = 0.5
const MOST_FACTOR = 2.5
const TRUNCATED_BELOW = 0.7
const PRIME_TIMEOUT_MS = 3000

/** Whether the server reports so much less than was sent that it must have cut the request. */
export function looksTruncated(sent: number, reported: number, quality: TokenCounter['quality']): boolean {
  return quality === 'calibrated' && sent > LEAST_TOKENS && reported < sent * TRUNCATED_BELOW
}

export interface TokenCounters {
  /** An unknown or empty id counts plain o200k. */
  forModel(modelId: string): TokenCounter
  /**
   * Learns from one answer: `sent` is what `forModel(modelId)` counted for the request, `reported` what the server
   * said, both in tokens. Call it only for requests without images or files. Small requests teach nothing, and
   * neither does one the server seems to have cut.
   */
  calibrate(modelId: string, sent: number, reported: number): void
  close(): Promise<void>
}

export interface TokenCountersDeps {
  database: WriteDatabase
  /** ISO 8601. */
  now: () => string
  startWorker?: () => Worker
  primeTimeoutMs?: number
}

/** One worker and one cache for all models; each model has its own factor, kept in the database. */
export function createTokenCounters(deps: TokenCountersDeps): TokenCounters {
  const exact = createExactCounts({
    startWorker: deps.startWorker ?? startTokenWorker,
    timeoutMs: deps.primeTimeoutMs ?? PRIME_TIMEOUT_MS,
  })
  const learned = new Map<string, Calibration>()
  const calibrationOf = (modelId: string): Calibration => {
    const known = learned.get(modelId)
    if (known) return known
    const place = splitModelId(modelId)
    const calibration = readCalibration(deps.database, place) ?? {
      factor: tokenisationOf(place.name).factor,
      samples: 0,
    }
    learned.set(modelId, calibration)
    return calibration
  }

  return {
    forModel(modelId) {
      const { encoding } = tokenisationOf(splitModelId(modelId).name)
      return {
        count(text) {
          if (text === '') return 0
          const tokens = exact.get(encoding, text) ?? estimateTokens(text)
          return Math.max(1, Math.round(tokens * calibrationOf(modelId).factor))
        },
        prime: (texts) => exact.prime(encoding, texts),
        get quality() {
          return calibrationOf(modelId).samples > 0 ? 'calibrated' : 'estimated'
        },
      }
    },
    calibrate(modelId, sent, reported) {
      const { factor, samples } = calibrationOf(modelId)
      if (sent <= LEAST_TOKENS || reported <= LEAST_TOKENS) return
      if (looksTruncated(sent, reported, samples > 0 ? 'calibrated' : 'estimated')) return
      const seen = (factor * reported) / sent
      const moved = factor + NEW_WEIGHT * (seen - factor)
      const next = { factor: Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, moved)), samples: samples + 1 }
      // stored first: what the disk refuses is called again, and must not be learned twice
      saveCalibration(deps.database, splitModelId(modelId), { ...next, at: deps.now() })
      learned.set(modelId, next)
    },
    close: () => exact.close(),
  }
}
