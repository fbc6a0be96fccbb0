import { useSearchParams } from 'wouter'
import { changed } from './address-filters'

/** In the address, for reloads and links; with what only says more of it. */
export function useParam(name: string, more?: string): [value: string | null, set: (value: string | null) => void] {
  const [params, setParams] = useSearchParams()
  const rest = more === undefined ? {} : { [more]: '' }
  return [
    params.get(name),
    (value) => setParams((old) => changed(old, { ...rest, [name]: value ?? '' }), { replace: true }),
  ]
}
