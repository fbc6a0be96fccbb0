import * as labels from '@vps/shared/labels'
import { fen, formatYuan } from '@vps/shared/money'
import styled from 'styled-components'
import { color, font } from '../../../theme/tokens'
import { Facts } from '../../../ui/Facts'
import { Dim, Time } from '../../../ui/Time'
import { fieldNames, valueNames } from './audit-words'

type Details = Record<string, unknown>

/** Field by field, with its other facts. */
export function Changes({ details: { before, after, ...rest } }: { details: Details }) {
  const was = recordOf(before)
  const is = recordOf(after)
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const facts = Object.entries(rest).filter(([, value]) => value !== null)
  return (
    <>
      {fields.length > 0 && (
        <Scroll tabIndex={0} role="group" aria-label="变更内容">
          <table>
            <thead>
              <tr>
                <th scope="col">字段</th>
                <th scope="col">之前</th>
                <th scope="col">之后</th>
              </tr>
            </thead>
            <tbody>
              {fields.map((name) => (
                <tr key={name}>
                  <th scope="row">{nameOf(name)}</th>
                  <td>{before === undefined ? <Dim>—</Dim> : shown(name, was[name])}</td>
                  <td>{after === undefined ? <Dim>—</Dim> : shown(name, is[name])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {facts.length > 0 && <Facts facts={facts.map(([name, value]) => [nameOf(name), shown(name, value)])} />}
    </>
  )
}

const recordOf = (value: unknown): Details => (value && typeof value === 'object' ? { ...value } : {})
const nameOf = (name: string) => fieldNames[name] ?? name

function shown(name: string, value: unknown) {
  if (value === null || value === undefined || value === '') return <Dim>{labels.nothing}</Dim>
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  if (Number.isSafeInteger(value) && /(_fen|Fen)$/.test(name)) return formatYuan(fen(Number(value)))
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return isMoment(value) ? <Time at={value} /> : (valueNames[name]?.[value] ?? value)
  return listed(value) ?? JSON.stringify(value)
}

const isMoment = (value: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)

/** Of plain values whose names are known; null: of others. */
function listed(value: unknown): string | null {
  const isPlain = (part: unknown) => ['string', 'number'].includes(typeof part)
  if (Array.isArray(value)) return value.every(isPlain) ? value.join('、') || labels.nothing : null
  const parts = Object.entries(recordOf(value))
  return parts.every(([name, part]) => name in fieldNames && isPlain(part))
    ? parts.map(([name, part]) => `${nameOf(name)} ${String(part)}`).join('，')
    : null
}

const Scroll = styled.div`
  margin: 16px 0;
  overflow-x: auto;

  table {
    width: 100%;
    border-collapse: collapse;
    ${font.sm}
  }

  th,
  td {
    padding: 8px 12px;
    border-bottom: 1px solid ${color.line};
    text-align: left;
    vertical-align: top;
    overflow-wrap: anywhere;
  }

  thead th {
    background: ${color.surface};
    color: ${color.text2};
    ${font.xs}
  }

  tbody th {
    width: 120px;
    color: ${color.text2};
    font-weight: 400;
  }
`
