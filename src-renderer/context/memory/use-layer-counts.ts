import { useEffect, useState } from 'react'
import { call, on } from '../../api/client'

interface LayerCounts {
  summaries?: number
  facts?: number
}

/** How much the two other layers hold; nothing while it is not known. */
export function useLayerCounts(): LayerCounts {
  const [counts, setCounts] = useState<LayerCounts>({})
  useEffect(() => {
    const read = (): void => {
      Promise.all([call('recent-conversations.list', {}), call('user-profile.get', {})]).then(
        ([summaries, profile]) => setCounts({ summaries: summaries.length, facts: profile.facts.length }),
        () => setCounts({}), // the panels say what is wrong
      )
    }
    const ends = (['recent-conversations.changed', 'user-profile.changed', 'resync'] as const).map((name) =>
      on(name, read),
    )
    read()
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return counts
}
