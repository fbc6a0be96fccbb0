import * as labels from '@vps/shared/labels'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { sumFen, yuan } from '@vps/shared/money'
import { yuanToFen } from '@vps/shared/money.contract'
import { useState } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { codeOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { resolverOf } from '../../../forms/resolver-of'
import { Facts } from '../../../ui/Facts'
import { Money } from '../../../ui/Money'
import { FormArea, FormNumber } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { type Values, faultsOf } from './adjust-form'

/** The reason stays in the audit log. */
export default function AdjustDialog({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [adjust] = useKeyed(trpc.wallet.adjust.useMutation().mutateAsync)
  const [balance, setBalance] = useState(user.balance ?? 0)
  const form = useForm<Values>({
    defaultValues: { amount: Number.NaN, reason: '' },
    resolver: resolverOf(faultsOf),
  })
  const { control } = form
  return (
    <FormDialog
      title={`调整余额 · ${user.username}`}
      width={480}
      form={form}
      saveLabel="确认调整"
      saved="余额已调整"
      failed="调整余额失败"
      save={async (values) => {
        await adjust({ ...values, userId: user.id, balance }).catch((error: unknown) => {
          // Only now: what was not answered is sent again as it was.
          if (codeOf(error) === 'STATE_CHANGED') void readAgain()
          throw error
        })
        await Promise.all([utils.users.invalidate(), utils.wallet.invalidate()])
      }}
      onClose={onClose}
    >
      <FormNumber
        control={control}
        name="amount"
        label="调整金额"
        signed
        unit={labels.yuan}
        help="正数增加，负数扣减；余额不能为负"
      />
      <FormArea control={control} name="reason" label={labels.reason} required rows={3} help="写入审计日志和交易记录" />
      <After control={control} balance={balance} />
    </FormDialog>
  )

  async function readAgain() {
    const fresh = await utils.users.get.fetch({ id: user.id }, { staleTime: 0 }).catch(() => null)
    if (fresh) setBalance(fresh.balance ?? 0)
  }
}

function After({ control, balance }: { control: Control<Values>; balance: number }) {
  const amount = useWatch({ control, name: 'amount' })
  const typed = yuanToFen.safeParse(amount)
  return (
    <Facts
      facts={[
        ['当前余额', <Money key="before" yuan={balance} />],
        [
          '调整后',
          typed.success ? <Money key="after" yuan={yuan.encode(sumFen([yuan.decode(balance), typed.data]))} /> : null,
        ],
      ]}
    />
  )
}
