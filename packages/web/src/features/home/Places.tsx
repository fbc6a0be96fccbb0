import * as labels from '@vps/shared/labels'
import { placesLead, type Place } from '@vps/shared/places'
import { Gauge } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import styled from 'styled-components'
import { PlacesMap } from '../../about/PlacesMap'
import { color, font, media } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { heardOnly } from '../../ui/heard-only'
import { Lead, Section } from './look'
import { measureLatency } from './measure-latency'

/** Where machines stand; how far is measured when asked. */
export function Places({ places }: { places: readonly Place[] }) {
  const { told, busy, measure } = useLatencies(places)
  const best = Math.min(...Object.values(told).map(Number.parseFloat).filter(Number.isFinite))
  return (
    <Section aria-labelledby="places">
      <h2 id="places">{labels.places}</h2>
      <Lead>{placesLead}</Lead>
      <Night>
        <PlacesMap places={places} told={told} />
        <div>
          <table>
            <Heard>{labels.places}</Heard>
            <thead>
              <tr>
                <th scope="col">{labels.place}</th>
                <th scope="col">{labels.latency}</th>
              </tr>
            </thead>
            <tbody>
              {places.map(({ name, probe }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td data-best={told[name] === msText(best) || undefined}>{told[name] ?? (probe ? '—' : '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {places.some(({ probe }) => probe) && (
            <Ask
              busy={busy}
              busyLabel="正在测速…"
              icon={<Gauge size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => void measure()}
            >
              测速
            </Ask>
          )}
        </div>
      </Night>
    </Section>
  )
}

const msText = (ms: number) => `${ms} ms`

/** One address after another, so that none waits for another's line. */
function useLatencies(places: readonly Place[]) {
  const [told, setTold] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function measure() {
    const left = (leaving.current = new AbortController()).signal
    setBusy(true)
    setTold({})
    for (const { name, probe } of places) {
      if (!probe) continue
      const ms = await measureLatency(probe, left)
      if (left.aborted) return
      setTold((known) => ({ ...known, [name]: ms === null ? '无法测量' : msText(ms) }))
    }
    setBusy(false)
  }

  return { told, busy, measure }
}

const Night = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 200px;
  align-items: center;
  gap: 40px;
  margin-top: 36px;
  padding: 40px;
  border-radius: 16px;
  background: ${color.night};
  color: ${color.onNight};

  table {
    width: 100%;
    border-collapse: collapse;
    ${font.sm}
    ${font.numbers}
  }

  tr {
    border-bottom: 1px solid ${color.unlit};
  }

  th {
    padding: 8px 0;
    font-weight: 400;
    text-align: left;
  }

  thead th {
    color: ${color.onNight2};
    ${font.xs}
  }

  td,
  th:last-child {
    text-align: right;
  }

  [data-best] {
    ${font.strong}
    color: ${color.lamp};
  }

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
    gap: 24px;
  }

  ${media.phone} {
    margin-top: 24px;
    padding: 24px 16px;
  }
`

const Heard = styled.caption`
  ${heardOnly}
`

const Ask = styled(Button)`
  width: 100%;
  margin-top: 16px;
  background: transparent;
  border-color: ${color.onNight2};
  color: ${color.onNight};

  &:hover:not(:disabled, [aria-disabled='true']) {
    border-color: ${color.onNight};
    color: ${color.onNight};
  }

  &[aria-disabled='true'] {
    background: transparent;
    border-color: ${color.unlit};
    color: ${color.onNight2};
  }

  &:focus-visible {
    outline-color: ${color.onNight};
  }
`
