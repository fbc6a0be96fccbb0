import { lazy, useState, type ComponentType } from 'react'

/**
 * A component whose code comes when it is drawn, or is brought before. Then it is drawn at once: React's `lazy` gives way
 * to its fallback all the same, and shows nothing else for the next 300 ms. Needs a `Suspense` around it.
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
