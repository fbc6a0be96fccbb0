import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { formatYuan, yuan } from '@vps/shared/money'
import { periodNames } from '@vps/shared/periods'
import { mostTogether, periodOffers } from '@vps/shared/pricing'
import { lazy, Suspense } from 'react'
import styled from 'styled-components'
import { useSession } from '../../api/session'
import { PortField } from '../../servers/PortField'
import { SshKeyChoice } from '../../servers/SshKeyChoice'
import { color, font, media } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Money } from '../../ui/Money'
import { Stepper } from '../../ui/Stepper'
import { Switch } from '../../ui/Switch'
import { Tiles } from '../../ui/Tiles'
import { FoldedCard } from '../../ui/FoldedCard'
import { accessText, faultsOf, type Draft } from './configurator'
import { InitialPassword } from './InitialPassword'
import { keptOf } from './kept-draft'
import { Resources } from './Resources'
import { SystemTiles } from './SystemTiles'

const SalesFrame = lazy(async () => ({ default: (await import('../../ui/SalesFrame')).SalesFrame }))

interface ConfiguratorProps {
  offer: PriceGroupInFen
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}

/** All choices of one price group. */
export function Configurator({ offer, draft, onChange }: ConfiguratorProps) {
  // A structured document locks the configuration; all else is HTML.
  const html = offer.locked ? null : offer.salesPageHtml

  return (
    <>
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
        <Renewal>
          <Stepper
            label={labels.quantity}
            unit={labels.machinesUnit}
            min={1}
            max={mostTogether}
            value={draft.quantity}
            onChange={(quantity) => onChange({ quantity })}
          />
          <small>一次最多 {mostTogether} 台，一起付款，各自独立续费与管理</small>
        </Renewal>
      </Card>
      <Resources offer={offer} draft={draft} onChange={onChange} />
      <Access offer={offer} draft={draft} onChange={onChange} />
      {html && (
        <FoldedCard title="套餐介绍" note={offer.description}>
          <Suspense fallback={null}>
            <SalesFrame html={html} title={`${offer.name} 介绍`} />
          </Suspense>
        </FoldedCard>
      )}
    </>
  )
}

function Access({ offer, draft, onChange }: ConfiguratorProps) {
  const { token } = useSession()
  const faults = faultsOf(draft)
  return (
    <FoldedCard
      title="系统与登录"
      note={accessText(draft)}
      open={Object.keys(faults).length > 0 || keptOf(offer.id) === 'without its password'}
    >
      <SystemTiles systems={offer.osOptions} chosen={draft} fault={faults.os} onChange={onChange} />
      <Pairs>
        <InitialPassword
          value={draft.initialPassword}
          fault={faults.initialPassword}
          onChange={(initialPassword) => onChange({ initialPassword })}
        />
        <PortField
          label={labels.sshPort}
          help="22 或 1024-65535；留空为 22"
          error={faults.sshPort}
          throwing={verbs.randomPort}
          value={draft.sshPort}
          onChange={(sshPort) => onChange({ sshPort })}
        />
      </Pairs>
      {token !== null && !offer.dedicated && (
        <Keys>
          <SshKeyChoice chosen={draft.sshKeyIds} onChange={(sshKeyIds) => onChange({ sshKeyIds })} />
        </Keys>
      )}
    </FoldedCard>
  )
}

function Periods({ offer, draft, onChange }: ConfiguratorProps) {
  const offers = periodOffers(offer, draft.spec, new Date())
  if (offers.length === 0) return <p>该套餐暂未定价。</p>
  return (
    <>
      <Tiles
        legend={labels.billingPeriod}
        bare
        name="period"
        // Three in a row: six periods fill two.
        minWidth={190}
        value={draft.period}
        onChange={(period) => onChange({ period })}
        tiles={offers.map(({ period, price, originalPrice, savingPercent, recommended }) => ({
          value: period,
          label: `${periodNames[period]}，${formatYuan(price)}`,
          content: (
            <Period>
              <Row>
                {periodNames[period]}
                {recommended && <Tag>推荐</Tag>}
              </Row>
              <strong>
                <Money yuan={yuan.encode(price)} />
              </strong>
              {(price < originalPrice || savingPercent > 0) && (
                <Row>
                  {price < originalPrice && (
                    <s>
                      <Money yuan={yuan.encode(originalPrice)} />
                    </s>
                  )}
                  {savingPercent > 0 && (
                    <Tag $tone="success">
                      {labels.discountedBy} {savingPercent}%
                    </Tag>
                  )}
                </Row>
              )}
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
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 2px 8px;
  min-height: 20px;
  color: ${color.text2};
`
