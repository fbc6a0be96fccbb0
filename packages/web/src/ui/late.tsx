import { lazy, useState, type ComponentType } from 'react'

/**
 * Drawn at once where its code was brought before: React's `lazy` shows its fallback for 300 ms all the same. Needs a
 * `Suspense` around it.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let here: ComponentType<Props> | null = null
  const bring = async () => (here ??= await load())
  const Awaited = lazy(async () => ({ default: await bring() }))
  function Late(props: Props) {
    // For as long as it is drawn: another component in its place would begin anew.
    const [Part] = useState<ComponentType<Props>>(() => here ?? Awaited)
    return <Part {...props} />
  }
  return { Late, bring }
}
