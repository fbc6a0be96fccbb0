import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { yuan } from '@vps/shared/money'
import { periodNames } from '@vps/shared/periods'
import { quote, timesQuote, type Quote } from '@vps/shared/pricing'
import * as text from '@vps/shared/text'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import styled from 'styled-components'
import { navigate } from 'wouter/use-browser-location'
import { entrance, useSession } from '../../api/session'
import { paths } from '../../paths'
import { color, font, media } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { BeingChecked } from '../../ui/BeingChecked'
import { BottomBar } from '../../ui/BottomBar'
import { Button } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { FoldedPart } from '../../ui/FoldedCard'
import { Money } from '../../ui/Money'
import { toast } from '../../ui/toast'
import { TotalLine } from '../../ui/TotalLine'
import { useNarrow } from '../../theme/use-media'
import { useParam } from '../../ui/use-param'
import { faultsOf, specText, toOrder, type Draft } from './configurator'
import { keepDraft, keptDraft, keptOf } from './kept-draft'
import { useOrdering } from './use-ordering'

const PayDialog = lazy(() => import('../../checkout/PayDialog'))

interface SummaryProps {
  group: { id: string; name: string }
  offer: PriceGroupInFen
  draft: Draft
}

/** On narrow screens a bar at the lower edge. */
export function Summary({ group, offer, draft }: SummaryProps) {
  const { price, problem, paying, setPaying, placing, buy } = useBuy({ group, offer, draft })
  const narrow = useNarrow()
  const button = (
    <Button
      tone="primary"
      size="lg"
      wide
      busy={placing}
      busyLabel="正在创建订单…"
      disabled={!offer.available}
      onClick={buy}
    >
      {offer.available ? verbs.buyNow : '已售罄'}
    </Button>
  )

  return (
    <>
      <Side aria-label={labels.orderSummary}>
        <h2>{labels.orderSummary}</h2>
        <FoldedPart title="所选配置" note={`${offer.name} · ${specText(draft.spec)}`}>
          <Choices group={group} offer={offer} draft={draft} />
        </FoldedPart>
        <Total price={price} quantity={draft.quantity} />
        {problem && (
          <InSummary>
            <Alert tone="error">{problem}</Alert>
          </InSummary>
        )}
        <BeingChecked />
        {button}
      </Side>
      {narrow && (
        <BottomBar>
          <Due>
            {price && (
              <strong>
                <Money yuan={yuan.encode(timesQuote(price, draft.quantity).amount)} />
              </strong>
            )}
            <small role="alert">{problem}</small>
            {!problem && <small>{barText(draft)}</small>}
          </Due>
          <div>{button}</div>
        </BottomBar>
      )}
      {paying && (
        <Suspense fallback={null}>
          <PayDialog orderId={paying} onClose={() => setPaying(null)} />
        </Suspense>
      )}
    </>
  )
}

const barText = ({ period, quantity }: Draft) =>
  [period ? periodNames[period] : '未选择计费周期', ...(quantity > 1 ? [servers(quantity)] : [])].join(' · ')

const servers = (quantity: number) => `${quantity} ${labels.machinesUnit}`

/** Places the order once; it is paid at `?pay=`. */
function useBuy({ group, offer, draft }: SummaryProps) {
  const { token } = useSession()
  const [paying, setPaying] = useParam('pay')
  const [goingOn, setGoingOn] = useParam('buy')
  const { order, placing, problem, setProblem } = useOrdering(offer.id, setPaying)
  const price = draft.period && quote(offer, draft.spec, draft.period, new Date())

  const { period, osName, osVersion } = draft
  const wanted = period && osName && osVersion ? toOrder({ ...draft, period, osName, osVersion }) : null

  function buy() {
    // Ordered: the dialog that pays it is on its way.
    if (token && paying) return
    const fault = !period ? text.selectPrice : Object.values(faultsOf(draft))[0]
    if (!period) document.getElementsByName('period')[0]?.focus()
    else if (fault) document.querySelector<HTMLElement>('main [aria-invalid]')?.focus()
    setProblem(fault ?? null)
    if (fault || !wanted) return
    if (token !== null) return void order(wanted)
    keepDraft(draft)
    toast('请先登录后再购买', 'info')
    navigate(entrance(paths.buy(group.id)))
  }

  // Back from signing in, what was pressed goes on. A link alone orders nothing.
  const goOn = useEffectEvent(() => {
    if (goingOn === null) return
    setGoingOn(null)
    const kept = keptDraft([offer])
    const isAsKept = kept !== null && specText(kept.spec) === specText(draft.spec)
    if (token !== null && wanted && offer.available && isAsKept && keptOf(offer.id) === 'whole') void order(wanted)
  })
  useEffect(() => goOn(), [])

  // A missing choice shows until it is made.
  const shownProblem = problem === text.selectPrice && draft.period ? null : problem

  return { price, problem: shownProblem, paying: token && paying, setPaying, placing, buy }
}

function Choices({ group, offer, draft }: SummaryProps) {
  return (
    <dl>
      <dt>{labels.place}</dt>
      <dd>{group.name}</dd>
      <dt>{labels.plan}</dt>
      <dd>{offer.name}</dd>
      <dt>{labels.specification}</dt>
      <dd>{specText(draft.spec)}</dd>
      {offer.natPorts !== null && (
        <>
          <dt>{labels.network4}</dt>
          <dd>{text.sharedIpv4(offer.natPorts * draft.spec.ipCount)}</dd>
        </>
      )}
      <dt>{labels.system}</dt>
      <dd>{draft.osName && draft.osVersion ? `${draft.osName} ${draft.osVersion}` : states.unchosen}</dd>
      <dt>{labels.sshPort}</dt>
      <dd>{draft.sshPort.trim() || '22'}</dd>
      <dt>{labels.initialPassword}</dt>
      <dd>{draft.initialPassword ? '已设置' : '自动生成'}</dd>
      <dt>{labels.autoRenewal}</dt>
      <dd>{draft.autoRenewal ? verbs.turnOn : verbs.close}</dd>
      <dt>{labels.billingPeriod}</dt>
      <dd>{draft.period ? periodNames[draft.period] : states.unchosen}</dd>
      {draft.quantity > 1 && (
        <>
          <dt>{labels.quantity}</dt>
          <dd>{servers(draft.quantity)}</dd>
        </>
      )}
    </dl>
  )
}

function Total({ price, quantity }: { price: Quote | null; quantity: number }) {
  return (
    <Sum aria-live="polite" aria-atomic>
      {price && price.lines.length > 1 && (
        <ul>
          {price.lines.map((line) => (
            <li key={line.label}>
              <span>
                {line.label}
                {line.units > 1 && ` ×${line.units}`}
              </span>
              <Money yuan={yuan.encode(line.amount)} />
            </li>
          ))}
        </ul>
      )}
      {price && price.discount > 0 && (
        <ul>
          <li>
            <span>优惠</span>
            <Saved>
              <Money yuan={yuan.encode(price.discount)} sign="-" />
            </Saved>
          </li>
        </ul>
      )}
      {price && quantity > 1 && (
        <ul>
          <li>
            <span>每台 ×{quantity}</span>
            <Money yuan={yuan.encode(price.amount)} />
          </li>
        </ul>
      )}
      <TotalLine>
        <span>{labels.amountDue}</span>
        <strong>{price ? <Money yuan={yuan.encode(timesQuote(price, quantity).amount)} /> : '—'}</strong>
      </TotalLine>
    </Sum>
  )
}

const Side = styled(Panel).attrs({ as: 'aside' })`
  position: sticky;
  top: 72px;
  display: grid;
  gap: 16px;

  h2 {
    ${font.md}
  }

  dl {
    display: grid;
    grid-template-columns: 64px minmax(0, 1fr);
    gap: 8px 12px;
  }

  dt {
    color: ${color.text3};
  }

  dd {
    ${font.numbers}
  }

  ${media.narrow} {
    position: static;

    > button {
      display: none;
    }
  }
`

const Sum = styled.div`
  display: grid;
  gap: 8px;
  padding-top: 16px;
  border-top: 1px solid ${color.line};

  ul {
    display: grid;
    gap: 4px;
    color: ${color.text2};
  }

  li {
    display: flex;
    justify-content: space-between;
  }
`

const Saved = styled.span`
  color: ${color.success.text};
`

const InSummary = styled.div`
  ${media.narrow} {
    display: none;
  }
`

const Due = styled.div`
  strong {
    display: block;
    ${font.lg}
    color: ${color.primary.text};
  }

  small {
    ${font.xs}
    color: ${color.text2};
  }
`
