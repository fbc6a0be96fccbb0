import * as text from '@vps/shared/text'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { yuan, type Fen } from '@vps/shared/money'
import { specLimits } from '@vps/shared/servers'
import { rechargeFor } from '@vps/shared/wallet'
import type { OrderView } from '@vps/shared/orders.contract'
import { periodNames } from '@vps/shared/periods'
import styled from 'styled-components'
import { navigate } from 'wouter/use-browser-location'
import { Balance, type BalanceRead } from './Balance'
import { Lacking } from './Lacking'
import { messageOf, Unanswered } from '../api/errors'
import type { Outputs } from '../api/trpc'
import { paths } from '../paths'
import { color, font, radius } from '../theme/tokens'
import { Alert } from '../ui/Alert'
import { Refusal } from '../ui/Refusal'
import { Button, ButtonLink } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { Facts } from '../ui/Facts'
import { Money } from '../ui/Money'
import { Select } from '../ui/Select'
import { Slider } from '../ui/Slider'
import { Bar, Failed } from '../ui/states'
import { TotalLine } from '../ui/TotalLine'
import { growthFields, startUpgrade, type UpgradeDraft } from './upgrade'
import { noMoreAddresses, upgradeAdvice } from './upgrade-words'
import { upgradeFailed, useUpgrade } from './use-upgrade'

interface Props {
  order: OrderView
  /** Which takes the focus. */
  first?: string
  /** For whoever watches it where it is asked; else its server's console is gone to. */
  onStarted?: (jobId: string) => void
  onClose: () => void
}

/** Only upwards, for the same period, at the prorated difference. */
export default function UpgradeDialog({ order, first, onStarted, onClose }: Props) {
  const { catalogue, wallet, draft, setDraft, input, quote, shown, offers, offer, missing, ready, ...act } = useUpgrade(
    order,
    onClose,
    onStarted ?? (() => navigate(paths.console(order.id))),
  )
  const { upgrading, failure, confirm } = act

  return (
    <Dialog
      sticky
      title={`升级配置 · ${order.serverName}`}
      open
      width={560}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.cancel}</Button>
          {missing > 0 && wallet.isSuccess ? (
            <ButtonLink tone="primary" href={paths.recharge(yuan.encode(rechargeFor(missing)))}>
              {verbs.goRecharge}
            </ButtonLink>
          ) : (
            <Button tone="primary" busy={upgrading} disabled={!ready} onClick={() => void confirm()}>
              {failure instanceof Unanswered ? text.askAgain : '确认升级'}
            </Button>
          )}
        </>
      }
    >
      {catalogue.isError && !catalogue.data ? (
        <Failed title={text.priceGroupsFailed} error={catalogue.error} onRetry={() => void catalogue.refetch()} />
      ) : !catalogue.data ? (
        <Bar $height={300} />
      ) : (
        <Stack>
          <Choice
            order={order}
            first={first}
            draft={draft}
            offers={offers}
            locked={offer?.locked ?? true}
            noMoreAddresses={noMoreAddresses(order, offer)}
            mostBackups={offer?.mostBackups ?? 0}
            onChange={setDraft}
          />
          <Sum aria-live="polite" aria-atomic>
            {!input ? (
              <p>{upgradeAdvice(order, offer, offers.length > 0)}</p>
            ) : shown ? (
              <Difference order={order} quote={shown} balance={wallet} missing={missing} />
            ) : quote.isError ? (
              <Alert tone="error">{messageOf(quote.error)}</Alert>
            ) : (
              <Bar $height={44} />
            )}
            {failure !== null && <Refusal>{messageOf(failure, upgradeFailed)}</Refusal>}
          </Sum>
        </Stack>
      )}
    </Dialog>
  )
}

type Offer = Outputs['shop']['priceGroups'][number]

interface ChoiceProps {
  order: OrderView
  first: Props['first']
  draft: UpgradeDraft
  offers: Offer[]
  locked: boolean
  noMoreAddresses: boolean
  mostBackups: number
  onChange: (draft: UpgradeDraft) => void
}

function Choice({ order, first, draft, offers, locked, noMoreAddresses, mostBackups, onChange }: ChoiceProps) {
  const fields = growthFields.filter(({ field }) => field !== 'ipCount' || !noMoreAddresses)
  return (
    <>
      {offers.length > 0 && (
        <Select
          label={labels.plan}
          value={draft.priceGroupId}
          options={[
            { value: order.priceGroupId, text: `${order.priceGroupName}（当前）` },
            ...offers.map(({ id, name }) => ({ value: id, text: name })),
          ]}
          onChange={(priceGroupId) =>
            onChange(
              startUpgrade(
                order,
                offers.find(({ id }) => id === priceGroupId),
              ),
            )
          }
        />
      )}
      {locked ? (
        <Facts facts={fields.map(({ field, label, unit }) => [label, `${draft.spec[field]} ${unit}`])} />
      ) : (
        fields.map(({ field, ...slider }) => (
          <Slider
            key={field}
            {...specLimits[field]}
            {...slider}
            min={order[field]}
            value={draft.spec[field]}
            isFirst={field === first}
            onChange={(value) => onChange({ ...draft, spec: { ...draft.spec, [field]: value } })}
          />
        ))
      )}
      {mostBackups > order.backups && (
        <Slider
          min={order.backups}
          max={mostBackups}
          label={labels.backupCount}
          unit={labels.piecesUnit}
          step={1}
          value={draft.spec.backups}
          isFirst={first === 'backups'}
          onChange={(backups) => onChange({ ...draft, spec: { ...draft.spec, backups } })}
        />
      )}
    </>
  )
}

interface DifferenceProps {
  order: OrderView
  quote: Outputs['orders']['upgradeQuote']
  balance: BalanceRead
  missing: Fen
}

function Difference({ order, quote, balance, missing }: DifferenceProps) {
  return (
    <>
      <TotalLine>
        <span>至到期应补差价</span>
        <strong>
          <Money yuan={quote.amount} />
        </strong>
      </TotalLine>
      <p>
        每{periodNames[order.billingPeriod].slice(1)} <Money yuan={quote.periodBefore} /> →{' '}
        <Money yuan={quote.periodAfter} />
        ，账户余额 <Balance read={balance} />
      </p>
      {!quote.available && <Alert tone="warning">宿主机资源不足，暂时无法升级到该配置</Alert>}
      {missing > 0 && balance.data !== undefined && (
        <Alert tone="warning">
          <Lacking missing={missing} />
        </Alert>
      )}
    </>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 20px;
`

const Sum = styled.div`
  display: grid;
  gap: 8px;
  padding: 12px 16px;
  border-radius: ${radius.card};
  background: ${color.surface};

  p {
    ${font.xs}
    color: ${color.text2};
  }
`
