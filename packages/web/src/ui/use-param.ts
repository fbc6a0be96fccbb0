import { useSearchParams } from 'wouter'
import { changed } from './address-filters'

/** In the address, for reloads and links. */
export function useParam(name: string): [value: string | null, set: (value: string | null) => void] {
  const [params, setParams] = useSearchParams()
  return [params.get(name), (value) => setParams((old) => changed(old, { [name]: value ?? '' }), { replace: true })]
}
