/**
 * A workbook of one sheet (ECMA-376), one page at a time in memory. Text stays text, so nothing is a formula; moments
 * are by the shop's clock.
 */
import { spreadsheetDay } from '@vps/shared/time'
import * as verbs from '@vps/shared/verbs'
import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Cell, Table, TableColumn } from './table.js'

type Rows = readonly (readonly Cell[])[]

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const styles = { head: 1, yuan: 2, moment: 3 }

const parts = {
  '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`,
  '_rels/.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${verbs.exportRows}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="&quot;¥&quot;#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
}

/** The workbook's bytes, page after page. */
export async function* xlsxOf({ columns, pages }: Table): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const add = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 3 })
    zip.add(part)
    return part
  }
  for (const [name, text] of Object.entries(parts)) add(name).push(strToU8(text), true)
  const sheet = add('xl/worksheets/sheet1.xml')
  const write = (text: string, last = false): Uint8Array => {
    sheet.push(strToU8(text), last)
    if (last) zip.end()
    return Buffer.concat(made.splice(0))
  }
  const titles = columns.map((column) => textCell(column.head, styles.head)).join('')
  let begun = false
  for await (const rows of pages) {
    const start = begun ? '' : `${sheetStart(columns, rows)}<row>${titles}</row>`
    begun = true
    yield write(start + rows.map((row) => rowOf(columns, row)).join(''))
  }
  yield write(`${begun ? '' : `${sheetStart(columns, [])}<row>${titles}</row>`}</sheetData></worksheet>`, true)
}

function sheetStart(columns: readonly TableColumn[], rows: Rows): string {
  const widths = columns.map((column, at) => {
    const widest = Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[at] ?? null)))
    return `<col min="${at + 1}" max="${at + 1}" width="${Math.min(60, widest + 2)}" customWidth="1"/>`
  })
  return `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`
}

/** In digits; a Chinese sign takes two. */
function widthOf(cell: Cell): number {
  if (cell instanceof Date) return 19
  if (typeof cell === 'number') return cell.toFixed(2).length + 2
  return cell === null ? 0 : cell.slice(0, 60).replaceAll(/[^\0-\xFF]/g, '  ').length
}

function rowOf(columns: readonly TableColumn[], row: readonly Cell[]): string {
  const cells = row.map((cell, at) => {
    if (cell === null) return '<c/>'
    if (cell instanceof Date) return `<c s="${styles.moment}"><v>${spreadsheetDay(cell)}</v></c>`
    if (typeof cell === 'number') return `<c${columns[at]?.yuan ? ` s="${styles.yuan}"` : ''}><v>${cell}</v></c>`
    return textCell(cell)
  })
  return `<row>${cells.join('')}</row>`
}

/** A cell holds no more, and a file with more is called damaged. */
const mostLetters = 32_767

const textCell = (text: string, style = 0): string =>
  `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(text.slice(0, mostLetters))}</t></is></c>`

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', _: '_x005F_' }

/** Leaves out signs that XML lacks; `_x000A_` would be read as that sign. */
const xmlText = (text: string): string =>
  text
    .replaceAll(/(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[&<>]|_(?=x[\dA-Fa-f]{4}_)/g, (sign) => signs[sign] ?? sign)
