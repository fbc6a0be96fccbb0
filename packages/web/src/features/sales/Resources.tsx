import * as labels from '@vps/shared/labels'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { specLimits } from '@vps/shared/servers'
import { Lock } from 'lucide-react'
import styled from 'styled-components'
import { color, font } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { Slider } from '../../ui/Slider'
import { Tiles } from '../../ui/Tiles'
import { presetsFor, specFields, type Draft } from './configurator'

interface ResourcesProps {
  offer: PriceGroupInFen
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}

/** A fixed plan lets nothing be moved. */
export function Resources({ offer, draft, onChange }: ResourcesProps) {
  return (
    <Card
      title="资源配置"
      {...(offer.locked
        ? {
            note: (
              <Locked>
                <Lock size={12} strokeWidth={2} aria-hidden />
                该套餐为固定配置
              </Locked>
            ),
          }
        : {})}
    >
      <PresetChoice offer={offer} draft={draft} onChange={onChange} />
      <Sliders>
        {specFields.map(({ field, ...slider }) => (
          <Slider
            key={field}
            {...specLimits[field]}
            {...slider}
            value={draft.spec[field]}
            disabled={offer.locked}
            onChange={(value) => onChange({ spec: { ...draft.spec, [field]: value } })}
          />
        ))}
      </Sliders>
    </Card>
  )
}

function PresetChoice({ offer, draft, onChange }: ResourcesProps) {
  const presets = offer.locked ? [] : presetsFor(offer)
  if (presets.length <= 1) return null
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
          label: `${name} ${spec.cpuCores} 核 ${spec.memoryGb} GB`,
          content: (
            <Preset>
              <b>{name}</b>
              <span>
                {spec.cpuCores} {labels.cores} {spec.memoryGb} GB · {spec.storageGb} GB
              </span>
              <small>{hint}</small>
            </Preset>
          ),
        }))}
      />
    </Presets>
  )
}

const sameSpec = (a: Draft['spec'], b: Draft['spec']) =>
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

const Locked = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 4px;
`
