import type { Migratable } from '@vps/shared/cold-migrations.contract'
import { noHostToMigrateTo } from '@vps/shared/migration-words'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { Alert } from '../../../ui/Alert'
import { Button } from '../../../ui/Button'
import { Confirm } from '../../../ui/Confirm'
import { ManyDialog } from '../../../ui/ManyDialog'
import { Select } from '../../../ui/Select'
import { Bar } from '../../../ui/states'
import { toast } from '../../../ui/toast'
import { rereadOperations } from '../parts/reread'
import { migrations } from './host-parts'
import { chosenLater } from './MigrationCell'

const confirmLabel = `确认${migrations}`
const begun = '已提交迁移'
const best = 'best'
export const cancelWaiting = '取消排队'

/** Under a key of its own; a refusal tells that what is shown is old. */
function useMigrate() {
  const utils = trpc.useUtils()
  const reread = () => rereadOperations(utils)
  const [migrate] = useKeyed(trpc.migrations.start.useMutation({ onError: () => void reread() }).mutateAsync)
  return { migrate, reread }
}

/** To a host that its operator chooses, or to the best. */
export function MigrateOne({ server, onClose }: { server: Migratable; onClose: () => void }) {
  const { migrate, reread } = useMigrate()
  const hosts = trpc.migrations.hosts.useQuery({ serverId: server.serverId })
  const [chosen, setChosen] = useState(best)
  const options = [
    { value: best, text: chosenLater },
    ...(hosts.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
  ]
  // One that is full by now is offered no more.
  const target = options.some(({ value }) => value === chosen) ? chosen : best
  return (
    <Confirm
      open
      width={520}
      title={`${verbs.migrate} · ${server.serverName}`}
      confirmLabel={confirmLabel}
      ready={hosts.data !== undefined && hosts.data.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        await migrate({ serverId: server.serverId, hostId: target === best ? null : target })
        toast(`${begun}：${server.serverName}`, 'success')
        await reread()
      }}
    >
      <Meaning />
      {hosts.isError && !hosts.data ? (
        <Alert tone="error" action={<Button onClick={() => void hosts.refetch()}>{verbs.retry}</Button>}>
          加载目标宿主机失败：{messageOf(hosts.error)}
        </Alert>
      ) : hosts.data?.length === 0 ? (
        <Alert tone="warning">
          {noHostToMigrateTo}。需要同一分组中在线且可用的宿主机，并绑定它的全部 IP 地址所属的 IP 池。
        </Alert>
      ) : hosts.data ? (
        <Select label="目标宿主机" options={options} value={target} onChange={setChosen} />
      ) : (
        <Bar $height={64} />
      )}
    </Confirm>
  )
}

/** As they were when asked for: what has begun stays in the dialog. */
export function MigrateMany({ servers, onClose }: { servers: readonly Migratable[]; onClose: () => void }) {
  const { migrate, reread } = useMigrate()
  return (
    <ManyDialog
      title={verbs.migrate}
      confirmLabel={confirmLabel}
      orders={servers.map((server) => ({ ...server, id: server.serverId }))}
      reasonOf={({ stays }) => stays}
      detailOf={({ diskGb }) => `${diskGb} GB`}
      act={async ({ serverId }) => {
        await migrate({ serverId, hostId: null })
        return begun
      }}
      messageOf={messageOf}
      onDone={() => void reread()}
      onClose={onClose}
    >
      <Meaning />
      <p>一台接一台迁移，排队的照常运行；每台的目标宿主机轮到时自动选择。</p>
    </ManyDialog>
  )
}

function useCancel() {
  const utils = trpc.useUtils()
  const reread = () => rereadOperations(utils)
  const [cancel] = useKeyed(trpc.migrations.cancel.useMutation({ onError: () => void reread() }).mutateAsync)
  return { cancel, reread }
}

/** Of all that had not begun when it was asked for; one that has by then goes back. */
export function CancelWaiting({ servers, onClose }: { servers: readonly Migratable[]; onClose: () => void }) {
  const { cancel, reread } = useCancel()
  return (
    <ManyDialog
      danger
      title={cancelWaiting}
      confirmLabel={`确认${cancelWaiting}`}
      orders={servers.map((server) => ({ ...server, id: server.serverId }))}
      reasonOf={() => null}
      act={async ({ serverId }) => {
        await cancel({ id: serverId })
        return states.cancelled
      }}
      messageOf={messageOf}
      onDone={() => void reread()}
      onClose={onClose}
    >
      <p>排队中的服务器照常运行，留在这台宿主机上；已经开始的会回到这里恢复运行。</p>
    </ManyDialog>
  )
}

/** Of one that waits, or has begun and goes back. */
export function CancelMigration({ server, onClose }: { server: Migratable; onClose: () => void }) {
  const { cancel, reread } = useCancel()
  return (
    <Confirm
      open
      danger
      title={`${verbs.cancelMigration} · ${server.serverName}`}
      confirmLabel={`确认${verbs.cancelMigration}`}
      onClose={onClose}
      onConfirm={async () => {
        await cancel({ id: server.serverId })
        toast(`已请求${verbs.cancelMigration}：${server.serverName}`, 'success')
        await reread()
      }}
    >
      <p>
        {server.migration?.stage === 'WAITING'
          ? '还没有开始，服务器照常运行，留在这台宿主机上。'
          : '已传输的部分作废，服务器回到原宿主机恢复运行；若那时它已在目标宿主机启动完成，则迁移照常完成。'}
      </p>
    </Confirm>
  )
}

const Meaning = () => (
  <>
    <p>
      轮到时服务器先关机，磁盘经由备份存储带到目标宿主机，在那里启动并试过登录之后，才删除原来的。期间客户无法使用，时长取决于磁盘大小。
    </p>
    <p>
      数据、IP
      地址、密码、防火墙与备份不变，原本关机的完成后仍然关机。若中途失败，会在原宿主机恢复。客户会在控制台看到正在迁移，但不会收到邮件；需要提前告知时，请先发布公告。
    </p>
  </>
)
