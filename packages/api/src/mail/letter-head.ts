import { productName } from '@vps/shared/brand'
import type { DayLevel } from '@vps/shared/status'

/** docs/design.md; the same at night as by day, so no dark sheet touches it. */
const night = { ground: '#1b2151', sail: '#8b97d6', hull: '#ffffff' }
const shine: Record<DayLevel, [colour: string, high: number]> = {
  none: ['#393e68', 14],
  good: ['#57d483', 14],
  minor: ['#ffc107', 10],
  major: ['#fd604f', 7],
}

/** As `favicon.svg`. */
const boat = ['..o..', '.-#..', '--#..', '#####', '.###.']
const paints: Record<string, string> = { o: shine.good[0], '-': night.sail, '#': night.hull }

/** The sender in cells instead of a picture, and what the letter counts. */
export const letterHead = (font: string, cells: readonly DayLevel[]): string =>
  `<tr><td style="padding:20px 28px;background:${night.ground};border-radius:12px 12px 0 0">` +
  table(
    `<tr><td width="40">${mark()}</td><td style="${font};font-size:16px;line-height:24px;font-weight:600;color:#ffffff">${productName}</td>` +
      `<td align="right">${table(`<tr>${cells.map(cell).join('')}</tr>`)}</td></tr>`,
    ' width="100%"',
  ) +
  `</td></tr>`

const table = (rows: string, more = '') =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${more}>${rows}</table>`

const mark = () =>
  table(
    boat.map((row) => `<tr>${[...row].map((one) => `<td>${block(paints[one], 5, 5, 1)}</td>`).join('')}</tr>`).join(''),
  )

const cell = (level: DayLevel) => {
  const [colour, high] = shine[level]
  return `<td valign="bottom" style="padding-left:3px">${block(colour, 14, high, 4)}</td>`
}

const block = (colour: string | undefined, wide: number, high: number, round: number) =>
  `<div style="width:${wide}px;height:${high}px;margin:0 1px 1px 0;border-radius:${round}px;font-size:0;line-height:0${colour ? `;background:${colour}` : ''}"></div>`
