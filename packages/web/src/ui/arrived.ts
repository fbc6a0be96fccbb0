import { useState } from 'react'
import { css, keyframes } from 'styled-components'
import { motion } from '../theme/tokens'

/** Rows that came while others stayed; none on a new list. */
export function useArrived<Row>(rows: readonly Row[] | undefined, rowKey: (row: Row) => string): ReadonlySet<string> {
  const keys = rows?.map(rowKey) ?? []
  const [shown, setShown] = useState({ keys, arrived: nobody })
  if (keys.join() === shown.keys.join()) return shown.arrived
  const fresh = keys.filter((key) => !shown.keys.includes(key))
  const arrived = fresh.length < keys.length ? new Set(fresh) : nobody
  setShown({ keys, arrived })
  return arrived
}

const nobody: ReadonlySet<string> = new Set()

const fade = keyframes`
  from { opacity: 0; }
`

/** For what has `data-arrived`. */
export const arriving = css`
  &[data-arrived] {
    animation: ${fade} ${motion.arrival};
  }
`
