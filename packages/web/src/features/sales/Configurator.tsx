import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { yuan } from '@vps/shared/money'
import { specLimits } from '@vps/shared/servers'
import { periodNames } from '@vps/shared/periods'
import { periodOffers } from '@vps/shared/pricing'
import { Dices, Lock } from 'lucide-react'
import { lazy, Suspense } from 'react'
import styled from 'styled-components'
import { useSession } from '../../api/session'
import { SshKeyChoice } from '../../servers/SshKeyChoice'
import { color, font, media } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Inside, TextField } from '../../ui/Field'
import { Money } from '../../ui/Money'
import { options, Select } from '../../ui/Select'
import { Slider } from '../../ui/Slider'
import { Switch } from '../../ui/Switch'
import { Tiles } from '../../ui/Tiles'
import { makePort } from '../../servers/machine-access'
import { faultsOf, presetsFor, specFields, type Draft } from './configurator'
import { InitialPassword } from './InitialPassword'

const SalesFrame = lazy(async () => ({ default: (await import('../../ui/SalesFrame')).SalesFrame }))

/** Everything that can be chosen of one price group. */
export function Configurator({
  offer,
  draft,
  onChange,
}: {
  offer: PriceGroupInFen
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}) {
  const { token } = useSession()
  const versions = offer.osOptions.find((os) => os.name === draft.osName)?.versions ?? []
  const faults = faultsOf(draft)
  const presets = offer.locked ? [] : presetsFor(offer)
  // A structured document locks the configuration; anything else is HTML to show.
  const html = offer.locked ? null : offer.salesPageHtml

  return (
    <>
      {html && (
        <Suspense fallback={null}>
          <SalesFrame html={html} title={`${offer.name} 介绍`} />
        </Suspense>
      )}
      <Card title={labels.billingPeriod}>
        <Periods offer={offer} draft={draft} onChange={onChange} />
        <Renewal>
          <Switch
            label={labels.autoRenewal}
            checked={draft.autoRenewal}
            onChange={(event) => onChange({ autoRenewal: event.target.checked })}
          />
          <small>到期时从账户余额自动扣款，可随时在订单中关闭</small>
        </Renewal>
      </Card>
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
        {presets.length > 1 && (
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
        )}
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
      <Card title="系统与登录">
        <Pairs>
          <Select
            label={labels.operatingSystem}
            options={options(offer.osOptions.map((os) => [os.name, os.name]))}
            value={draft.osName}
            error={faults.os}
            onChange={(osName) =>
              onChange({
                osName,
                osVersion: offer.osOptions.find((os) => os.name === osName)?.versions.at(-1) ?? null,
              })
            }
          />
          <Select
            label={labels.osVersion}
            options={options(versions.map((version) => [version, version]))}
            value={draft.osVersion}
            disabled={draft.osName === null}
            onChange={(osVersion) => onChange({ osVersion })}
          />
          <InitialPassword
            value={draft.initialPassword}
            fault={faults.initialPassword}
            onChange={(initialPassword) => onChange({ initialPassword })}
          />
          <TextField
            label={labels.sshPort}
            help="22 或 1024-65535；留空为 22"
            inputMode="numeric"
            value={draft.sshPort}
            error={faults.sshPort}
            onChange={(event) => onChange({ sshPort: event.target.value })}
            end={
              <Inside
                type="button"
                title={verbs.randomPort}
                aria-label={verbs.randomPort}
                onClick={() => onChange({ sshPort: makePort() })}
              >
                <Dices size={16} strokeWidth={1.75} />
              </Inside>
            }
          />
        </Pairs>
        {token !== null && (
          <Keys>
            <SshKeyChoice chosen={draft.sshKeyIds} onChange={(sshKeyIds) => onChange({ sshKeyIds })} />
          </Keys>
        )}
      </Card>
    </>
  )
}

function Periods({ offer, draft, onChange }: Parameters<typeof Configurator>[0]) {
  const offers = periodOffers(offer, draft.spec, new Date())
  if (offers.length === 0) return <p>该套餐暂未定价。</p>
  return (
    <>
      <Tiles
        legend={labels.billingPeriod}
        bare
        name="period"
        // Three beside each other on a desk, so that the six periods fill two rows.
        minWidth={190}
        value={draft.period}
        onChange={(period) => onChange({ period })}
        tiles={offers.map(({ period, price, originalPrice, savingPercent, recommended }) => ({
          value: period,
          label: periodNames[period],
          content: (
            <Period>
              <Row>
                {periodNames[period]}
                {recommended && <Tag>推荐</Tag>}
              </Row>
              <strong>
                <Money yuan={yuan.encode(price)} />
              </strong>
              <Row>
                {price < originalPrice && (
                  <s>
                    <Money yuan={yuan.encode(originalPrice)} />
                  </s>
                )}
                {savingPercent > 0 && (
                  <Tag $tone="success">
                    {labels.saving} {savingPercent}%
                  </Tag>
                )}
              </Row>
            </Period>
          ),
        }))}
      />
      {draft.period && !offers.some(({ period }) => period === draft.period) && (
        <Button onClick={() => onChange({ period: null })}>重新选择周期</Button>
      )}
    </>
  )
}

/** A preset is chosen while its processor, memory and disk are. */
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

const Locked = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 4px;
`

const Sliders = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 24px 48px;

  @media (max-width: 1279px) {
    grid-template-columns: 1fr;
  }
`

const Pairs = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;

  ${media.phone} {
    grid-template-columns: 1fr;
  }
`

const Keys = styled.div`
  margin-top: 16px;
`

const Renewal = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 4px 16px;
  margin-top: 16px;

  small {
    ${font.xs}
    color: ${color.text3};
  }
`

const Period = styled.div`
  display: grid;
  gap: 4px;

  strong {
    ${font.lg}
  }

  s {
    ${font.xs}
    color: ${color.text3};
  }
`

const Row = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 8px;
  min-height: 20px;
  color: ${color.text2};
`
