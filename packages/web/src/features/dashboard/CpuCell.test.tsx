import { expect, test } from 'vitest'
import { markupOf } from '../../testing/markup'
import { CpuCell } from './CpuCell'

const told = (values: (number | null)[]) => markupOf(<CpuCell values={values} />)

test('how busy a machine is, and was, is told', () => {
  expect(told([null, 10, 64, 23])).toContain('CPU 23%，近一小时最高 64%')
  expect(told([10, 64, 23, null])).toContain('CPU 23%，近一小时最高 64%')
})

test('one that has told nothing for minutes, as it is off or its host away, is not said to be as busy as it was', () => {
  const shown = told([10, 64, 23, null, null])
  expect(shown).toContain('近一小时最高 64%')
  expect(shown).not.toContain('23%')
})
