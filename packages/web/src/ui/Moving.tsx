import { Component, type RefObject } from 'react'
import { motion } from '../theme/tokens'

const arrivalMs = Number.parseInt(motion.arrival)
/** Of more it would be a flicker. */
const mostRows = 100

interface Props {
  /** In order; each is the `data-row` of its element. */
  keys: readonly string[]
  place: RefObject<HTMLElement | null>
}

/**
 * Rows that change places are seen to go there; what makes room for a new row does not move.
 *
 * A class, since only that can ask where something is before it is moved (`getSnapshotBeforeUpdate`): asking after
 * every drawing would be a layout each time.
 */
export class Moving extends Component<Props> {
  override getSnapshotBeforeUpdate({ keys }: Props): Spots | null {
    if (keys.length > mostRows || !havePassed(keys, this.props.keys)) return null
    return new Map(this.rows().map((row) => [keyOf(row), { x: row.offsetLeft, y: row.offsetTop }]))
  }

  override componentDidUpdate(_props: Props, _state: unknown, before: Spots | null): void {
    if (!before || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const row of this.rows()) {
      const was = before.get(keyOf(row))
      if (!was) continue
      const way = [was.x - row.offsetLeft, was.y - row.offsetTop]
      if (way.every((px) => px === 0)) continue
      row.animate(
        { transform: [`translate(${way.map((px) => `${px}px`).join()})`, 'none'] },
        { duration: arrivalMs, easing: 'ease-out' },
      )
    }
  }

  override render(): null {
    return null
  }

  private rows(): HTMLElement[] {
    return [...(this.props.place.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  }
}

type Spots = ReadonlyMap<string, { x: number; y: number }>

const keyOf = (row: HTMLElement) => row.dataset['row'] ?? ''

function havePassed(before: readonly string[], now: readonly string[]): boolean {
  const [old, current] = [new Set(before), new Set(now)]
  return before.filter((key) => current.has(key)).join() !== now.filter((key) => old.has(key)).join()
}
