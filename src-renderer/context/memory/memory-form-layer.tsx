import { lazyPart } from '../../app/lazy-part'
import { useMemoryForm } from './memory-form-store'

const MemoryForm = lazyPart(() => import('./memory-form'), 'MemoryForm')

/** The form opens over any place; its code comes with the first opening. */
export function MemoryFormLayer() {
  const wanted = useMemoryForm((state) => state.start !== null)
  return wanted ? <MemoryForm /> : null
}
