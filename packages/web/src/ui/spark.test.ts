import { expect, test } from 'vitest'
import { linesOf } from './Spark'

test('a line goes from the first figure to the last, from the bottom at 0 to the top at 100', () => {
  expect(linesOf([0, 50, 100])).toEqual([
    [
      { x: 0, y: 27 },
      { x: 60, y: 14 },
      { x: 120, y: 1 },
    ],
  ])
})

test('what was not measured is a gap, never a zero, and what is beyond 100 stays inside', () => {
  const lines = linesOf([10, 20, null, 30, 140])
  expect(lines.map((line) => line.length)).toEqual([2, 2])
  expect(lines[1]?.[1]).toEqual({ x: 120, y: 1 })
})

test('a single figure, or none, draws nothing', () => {
  expect([linesOf([]), linesOf([null]), linesOf([5]), linesOf([5, null, 5])]).toEqual([[], [], [], []])
})
