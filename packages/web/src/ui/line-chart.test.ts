import type uPlot from 'uplot'
import { describe, expect, test } from 'vitest'
import { paletteOf } from '../theme/palette'
import { dataOf, lonePoints, namesOf, optionsFor, stampOf, type LineChartProps } from './line-chart'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString()
const props: LineChartProps = {
  title: 'CPU',
  times: [at(0), at(1), at(2)],
  lines: [{ label: '平均', values: [10, null, 30] }],
  format: (value) => `${value}%`,
}
const palette = paletteOf('light', 'indigo')

describe('the time of a point', () => {
  test('is a day and a minute where points lie hours apart', () => {
    expect(stampOf(props.times)(at(1))).toMatch(/^2026-11-20 \d\d:00$/)
  })

  test('is a day alone where points lie days apart', () => {
    expect(stampOf([at(0), at(24)])(at(24))).toMatch(/^2026-11-2\d$/)
  })

  test('is a month where points lie months apart', () => {
    const month = (n: number) => new Date(Date.UTC(2026, n, 0, 16)).toISOString()
    expect(stampOf([month(1), month(2)])(month(2))).toBe('2026-03')
  })

  test('of a single point has its clock, since nothing says how long it stands for', () => {
    expect(stampOf([at(0)])(at(0))).toMatch(/ \d\d:00$/)
    expect(stampOf([])(at(0))).toMatch(/ \d\d:00$/)
  })
})

describe('a point that no line reaches', () => {
  test.each([
    ['between two gaps', [1, null, 3, null, 5], [0, 2, 4]],
    ['at an end beside a gap', [1, null, 3, 4], [0]],
    ['alone', [7], [0]],
    ['that is zero is a point, not a gap', [null, 0, null], [1]],
  ])('%s is drawn as a dot', (_where, values, lone) => {
    expect(lonePoints(values)).toEqual(lone)
  })

  test('does not exist in an unbroken line, nor where nothing was measured', () => {
    expect(lonePoints([1, 2, 3])).toBeNull()
    expect(lonePoints([null, null])).toBeNull()
    expect(lonePoints([])).toBeNull()
  })
})

test('a line has a ground unless parts of it are dots, which would stand beside bars', () => {
  const ground = (values: (number | null)[]) => {
    const lines = [{ label: '平均', values }]
    const fill = optionsFor({ ...props, lines }, palette, 600).series[1]?.fill
    if (typeof fill !== 'function') throw new Error('it is the same for all figures')
    const plot: Pick<uPlot, 'data'> = { data: dataOf({ ...props, lines }) }
    return fill(plot as uPlot, 1)
  }
  expect(ground([1, 2, 3])).toBe(`${palette.chart[0]}12`)
  expect(ground([1, 2, null])).toBe(`${palette.chart[0]}12`)
  expect(ground([1, null, 3])).toBe('transparent')
})

test('what is drawn are seconds, and the figures with their gaps', () => {
  expect(dataOf(props)).toEqual([props.times.map((time) => Date.parse(time) / 1000), [10, null, 30]])
})

describe('the axes', () => {
  test('of a percentage go from 0 to 100 whatever was measured', () => {
    expect(optionsFor({ ...props, percent: true }, palette, 600).scales?.['y']?.range).toEqual([0, 100])
  })

  test('of counts and of whole yuan do not say one figure twice, as where there was nothing', () => {
    const whole = (value: number) => `¥${value.toFixed(0)}`
    expect(namesOf([0, 0.2, 0.4, 0.6, 0.8, 1], whole)).toEqual(['¥0', '', '', '', '', '¥1'])
    expect(namesOf([0, 0.5, 1, 1.5, 2], whole)).toEqual(['¥0', '', '¥1', '', '¥2'])
    expect(namesOf([0, 0.5, 1], (value) => value.toFixed(1))).toEqual(['0.0', '0.5', '1.0'])
  })
})

test('each line takes its own colour, from the one that is asked for', () => {
  const { series } = optionsFor(
    { ...props, lines: [...props.lines, { label: '最高', values: [] }], firstColour: 1 },
    palette,
    600,
  )
  expect(series.map(({ label, stroke }) => [label, stroke])).toEqual([
    [undefined, undefined],
    ['平均', palette.chart[1]],
    ['最高', palette.chart[2]],
  ])
})
