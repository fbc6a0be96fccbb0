import * as labels from '@vps/shared/labels'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { formatYuan } from '@vps/shared/money'
import { quote } from '@vps/shared/pricing'
import type { ServerSpec } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import { Lock } from 'lucide-react'
import styled from 'styled-components'
import { color, font } from '../../theme/tokens'
import { Facts } from '../../ui/Facts'
import { FoldedCard } from '../../ui/FoldedCard'
import { Slider } from '../../ui/Slider'
import { Tiles } from '../../ui/Tiles'
import { perPeriod } from './plan-words'
import { fieldsOf, presetsFor, priceNote, specText, type Draft } from './configurator'

interface ResourcesProps {
  offer: PriceGroupInFen
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}

/** A dedicated server is sold as it stands, without sliders. */
export function Resources({ offer, draft, onChange }: ResourcesProps) {
  const note = offer.dedicated ? '整机独享，配置固定' : offer.locked ? text.fixedPlan : specText(draft.spec)
  return (
    <FoldedCard
      title="资源配置"
      note={
        <Note>
          {(offer.dedicated || offer.locked) && <Lock size={12} strokeWidth={2} aria-hidden />}
          {note}
        </Note>
      }
    >
      {offer.dedicated ? (
        <Facts facts={fieldsOf(offer).map(({ field, label, unit }) => [label, `${draft.spec[field]} ${unit}`])} />
      ) : (
        <>
          <PresetChoice offer={offer} draft={draft} onChange={onChange} />
          <Sliders>
            {fieldsOf(offer).map(({ field, ...slider }) => (
              <Slider
                key={field}
                {...slider}
                value={draft.spec[field]}
                note={priceNote(offer, field, draft.spec[field], draft.period)}
                onChange={(value) => onChange({ spec: { ...draft.spec, [field]: value } })}
              />
            ))}
          </Sliders>
        </>
      )}
    </FoldedCard>
  )
}

function PresetChoice({ offer, draft, onChange }: ResourcesProps) {
  const presets = offer.locked ? [] : presetsFor(offer)
  if (presets.length <= 1) return null
  const period = draft.period ?? 'MONTHLY'
  const priceOf = (spec: ServerSpec) => {
    const price = quote(offer, spec, period, new Date())
    return price && `${formatYuan(price.amount)} / ${perPeriod[period]}`
  }
  return (
    <Presets>
      <Tiles
        legend="常用配置"
        bare
        name="preset"
        minWidth={150}
        value={presets.find(({ spec }) => sameSpec(spec, draft.spec))?.name ?? null}
        onChange={(name) => {
          const preset = presets.find((preset) => preset.name === name)
          if (preset) onChange({ spec: { ...draft.spec, ...preset.spec } })
        }}
        tiles={presets.map(({ name, hint, spec }) => ({
          value: name,
          label: [`${name} ${spec.cpuCores} 核 ${spec.memoryGb} GB`, priceOf(spec)].filter(Boolean).join('，'),
          content: (
            <Preset>
              <b>{name}</b>
              <span>
                {spec.cpuCores} {labels.cores} {spec.memoryGb} GB · {spec.storageGb} GB
              </span>
              <small>{hint}</small>
              <small>{priceOf(spec)}</small>
            </Preset>
          ),
        }))}
      />
    </Presets>
  )
}

const sameSpec = (a: ServerSpec, b: ServerSpec) =>
  a.cpuCores === b.cpuCores && a.memoryGb === b.memoryGb && a.storageGb === b.storageGb

const Presets = styled.div`
  margin-bottom: 24px;
`

const Preset = styled.div`
  display: grid;
  ${font.numbers}

  small {
    ${font.xs}
    color: ${color.text3};
  }
`

const Sliders = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 24px 48px;

  @media (max-width: 1279px) {
    grid-template-columns: 1fr;
  }
`

const Note = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 4px;
`
