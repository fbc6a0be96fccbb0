import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { accountStatusNames } from '@vps/shared/accounts'
import type { AdminUserView } from '@vps/shared/accounts.contract'
import { useState } from 'react'
import { trpc } from '../../../api/trpc'
import { Chip } from '../../../ui/Chip'
import { Confirm } from '../../../ui/Confirm'
import { Opening } from '../../../ui/Opening'
import { toast } from '../../../ui/toast'
import { ReasonDialog } from '../parts/ReasonDialog'
import type { Acts } from './user-entries'
import { lateByHand } from '../../../loading/late-by-hand'

const AdjustDialog = lateByHand(() => import('./AdjustDialog'))

type Asked = { act: keyof Acts; user: AdminUserView } | null

/** What can be done with an account, and its dialogs. */
export function useAccountActs() {
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  const ask = (act: keyof Acts) => (user: AdminUserView) => setAsked({ act, user })
  const acts: Acts = {
    adjust: ask('adjust'),
    status: ask('status'),
    role: ask('role'),
    secondFactor: ask('secondFactor'),
  }
  const Asking = asked && dialogs[asked.act]
  const dialog = asked && Asking && (
    <Opening onGiveUp={close}>
      <Asking user={asked.user} onClose={close} />
    </Opening>
  )
  return { acts, dialog }
}

/** Whether somebody may sign in. */
export function AccountChip({ status }: Pick<AdminUserView, 'status'>) {
  return <Chip tone={status === 'active' ? 'success' : 'error'}>{accountStatusNames[status]}</Chip>
}

function StatusDialog({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const setStatus = trpc.users.setStatus.useMutation()
  const suspend = user.status === 'active'
  return (
    <ReasonDialog
      title={suspend ? verbs.suspendAccount : verbs.enableAccount}
      confirmLabel={suspend ? verbs.confirmDisable : '确认启用'}
      danger={suspend}
      help={text.writtenToAudit}
      maxLength={200}
      done={suspend ? '账户已停用' : '账户已启用'}
      onClose={onClose}
      run={async (reason) => {
        await setStatus.mutateAsync({ id: user.id, status: suspend ? 'suspended' : 'active', reason })
        await utils.users.invalidate()
      }}
    >
      <p>
        {labels.user} <b>{user.username}</b>
        {suspend
          ? `将立即退出所有设备，不能再登录。其 ${user.activeCount} 个活跃订单和服务器照常运行，余额保留。`
          : '将可以重新登录。'}
      </p>
    </ReasonDialog>
  )
}

function RoleConfirm({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const setRole = trpc.users.setRole.useMutation()
  const verb = user.isAdmin ? verbs.revokeAdmin : verbs.makeAdmin
  return (
    <Confirm
      open
      danger={!user.isAdmin}
      title={verb}
      confirmLabel={`确认${verb}`}
      onClose={onClose}
      onConfirm={async () => {
        await setRole.mutateAsync({ id: user.id, role: user.isAdmin ? 'USER' : 'ADMIN' })
        toast(user.isAdmin ? '已取消管理员' : '已设为管理员', 'success')
        await utils.users.invalidate()
      }}
    >
      <p>
        {labels.user} <b>{user.username}</b>
        {user.isAdmin
          ? ' 将失去全部管理权限，自己的订单和余额不变。'
          : ' 将可以管理所有商品、服务器、订单、资金和用户，包括取消您的管理员身份。'}
      </p>
    </Confirm>
  )
}

function SecondFactorDialog({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const utils = trpc.useUtils()
  const clear = trpc.users.clearSecondFactor.useMutation()
  return (
    <ReasonDialog
      title={verbs.disableSecondFactor}
      confirmLabel={verbs.confirmClose}
      danger
      help={text.writtenToAudit}
      maxLength={200}
      done={text.secondFactorOff}
      onClose={onClose}
      run={async (reason) => {
        await clear.mutateAsync({ id: user.id, reason })
        await utils.users.invalidate()
      }}
    >
      <p>
        {labels.user} <b>{user.username}</b>{' '}
        将只用密码即可登录，并收到邮件通知。仅用于丢失验证器和恢复码的客户，请先核实其身份。
      </p>
    </ReasonDialog>
  )
}

const dialogs = { adjust: AdjustDialog, status: StatusDialog, role: RoleConfirm, secondFactor: SecondFactorDialog }
