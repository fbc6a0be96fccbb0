import * as labels from '@vps/shared/labels'
import { isoHours } from '@vps/shared/servers'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { useState } from 'react'
import { trpc } from '../../api/trpc'
import { useKeyed } from '../../api/use-keyed'
import type { ConsoleServer } from '../../servers/console-server'
import { actMessage, actPatienceMs } from '../../servers/server-act'
import { Alert } from '../../ui/Alert'
import { Confirm } from '../../ui/Confirm'
import { options, Select } from '../../ui/Select'
import { Bar, Failed } from '../../ui/states'
import { useStarted } from './use-started'

interface Props {
  server: ConsoleServer
  onClose: () => void
}

const ways = options([
  ['boot', '从光盘启动，立即重启服务器'],
  ['insert', '只插入光驱，服务器不重启'],
])

/** Which disc, and whether to restart into it. */
export function InsertIso({ server, onClose }: Props) {
  const discs = trpc.iso.list.useQuery({ serverId: server.id })
  const [imageId, setImageId] = useState<string | null>(null)
  const [way, setWay] = useState<(typeof ways)[number]['value']>('boot')
  const insert = trpc.iso.insert.useMutation()
  const [insertOnce] = useKeyed(insert.mutateAsync, actPatienceMs)
  const started = useStarted()
  const boots = way === 'boot'
  return (
    <Confirm
      open
      danger={boots}
      width={520}
      title={verbs.insertIso}
      confirmLabel={boots ? '插入并重启' : '确认插入光盘'}
      ready={imageId !== null}
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => {
        if (imageId !== null) started(await insertOnce({ serverId: server.id, imageId, boots }))
      }}
    >
      {discs.isError && !discs.data ? (
        <Failed title="加载光盘失败" error={discs.error} onRetry={() => void discs.refetch()} />
      ) : discs.data ? (
        <Select
          label={labels.disc}
          placeholder={text.discRequired}
          options={options(discs.data.map(({ id, name }) => [id, name]))}
          value={imageId}
          onChange={setImageId}
        />
      ) : (
        <Bar $height={60} />
      )}
      <Select label="使用方式" options={ways} value={way} onChange={setWay} />
      {boots ? (
        <>
          <Alert tone="warning">
            “{server.serverName}”将关机，没有响应时直接断电，然后从光盘启动；运行中的服务会中断。
          </Alert>
          <p>
            之后每次重启都先从光盘启动，直到弹出光盘，最长 {isoHours} 小时。若由此安装了新的系统，登录用户、密码和 SSH
            端口由您自己设置，本页显示的不再有效。
          </p>
        </>
      ) : (
        <p>
          系统中会出现一个只读的光盘（通常是 /dev/sr0），需要自行挂载。{isoHours} 小时后自动弹出，重启仍从磁盘启动。
        </p>
      )}
    </Confirm>
  )
}

/** Without a restart; what runs from it loses it. */
export function EjectIso({ server, onClose }: Props) {
  const eject = trpc.iso.eject.useMutation()
  const [ejectOnce] = useKeyed(eject.mutateAsync, actPatienceMs)
  const started = useStarted()
  return (
    <Confirm
      open
      title={verbs.ejectIso}
      confirmLabel="确认弹出光盘"
      messageOf={actMessage}
      onClose={onClose}
      onConfirm={async () => started(await ejectOnce({ serverId: server.id }))}
    >
      <p>{text.confirmOperation}</p>
      <p>
        光盘立即弹出，服务器 {server.serverName} 不会重启；仍在从光盘运行或安装的系统会失去它，请先完成安装。
        {'之后重启即从磁盘启动。'}
      </p>
    </Confirm>
  )
}
