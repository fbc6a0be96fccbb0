import * as states from '@vps/shared/states'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { AdminServer } from '@vps/shared/servers.contract'
import { useState } from 'react'
import { useForm, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import type { Option } from '../../../ui/Select'
import { paths } from '../../../paths'
import { resolverOf } from '../../../forms/resolver-of'
import { FormNumber, FormSelect, FormSwitch, FormText, Row, Section } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { MakeFirst } from '../parts/MakeFirst'
import { rereadOperations } from '../parts/reread'
import { changeOf, comparedOf, empty, faultsOfEdited, faultsOfNew, valuesOf, type Values } from './server-form'

/** Enters an existing machine, or edits one. */
export default function ServerDialog({
  server: opened,
  groups,
  onClose,
}: {
  server: AdminServer | null
  groups: Option[]
  onClose: () => void
}) {
  // As its editor was shown it: after another's save, that.
  const [server, setServer] = useState(opened)
  const utils = trpc.useUtils()
  const create = trpc.servers.create.useMutation()
  const update = trpc.servers.update.useMutation()
  const form = useForm<Values>({
    defaultValues: server ? valuesOf(server) : empty,
    resolver: resolverOf(server ? faultsOfEdited : faultsOfNew),
  })

  return (
    <FormDialog
      title={server ? verbs.editServer : '新增服务器'}
      width={640}
      form={form}
      saved={server ? '服务器已更新' : '服务器已创建'}
      failed={server ? '更新服务器失败' : '创建服务器失败'}
      save={async (values) => {
        if (server) await update.mutateAsync({ ...changeOf(values, server), id: server.id })
        else await create.mutateAsync(values)
        await Promise.all([rereadOperations(utils), utils.servers.invalidate(), utils.catalogue.invalidate()])
      }}
      {...(server
        ? {
            newer: {
              fields: comparedOf(groups),
              read: () => readLatest(server),
            },
          }
        : {})}
      onClose={onClose}
    >
      <ServerFields control={form.control} groups={groups} server={server} />
    </FormDialog>
  )

  async function readLatest(seen: AdminServer): Promise<Values> {
    const latest = await utils.servers.get.fetch({ id: seen.id }, { staleTime: 0 })
    // Nobody chose that a machine sold meanwhile is for sale, least of all with its tenant's data.
    if (!seen.isSold && (latest.orderId !== null || latest.needsCleaning)) form.setValue('isSold', latest.isSold)
    setServer(latest)
    return valuesOf(latest)
  }
}

function ServerFields({
  control,
  groups,
  server,
}: {
  control: Control<Values>
  groups: Option[]
  server: AdminServer | null
}) {
  return (
    <>
      <FormSelect
        control={control}
        name="groupId"
        label={labels.serverGroup}
        required
        options={groups}
        empty={<MakeFirst what={labels.serverGroup} href={paths.groups()} />}
      />
      <Row>
        <FormText control={control} name="ip" exact label={labels.ipAddress} required autoComplete="off" />
        <FormNumber control={control} name="port" label={labels.sshPort} whole />
        <FormText control={control} name="username" exact label={labels.username} required autoComplete="off" />
        <FormText
          control={control}
          name="password"
          label={labels.password}
          password
          required={server === null}
          autoComplete="new-password"
          help={server ? '留空则不修改' : '用于登录该机器，加密保存'}
        />
      </Row>
      <Section title="规格">
        <FormText
          control={control}
          name="operatingSystem"
          label={labels.operatingSystem}
          required
          maxLength={100}
          autoComplete="off"
          help="与可选系统的名称和版本一致才会分配给订单，例如 Debian 12"
        />
        <Row $columns={3}>
          <FormNumber control={control} name="cpuCores" label="CPU" whole unit={labels.cores} />
          <FormNumber control={control} name="memory" label={labels.memory} whole unit="GB" />
          <FormNumber control={control} name="diskSpace" label={labels.disk} whole unit="GB" />
        </Row>
        <Row>
          <FormText control={control} name="diskType" label={labels.diskType} maxLength={40} autoComplete="off" />
          <FormText
            control={control}
            name="networkSpeed"
            label={labels.networkSpeed}
            maxLength={60}
            autoComplete="off"
          />
        </Row>
      </Section>
      <Section title={labels.status}>
        <FormSelect
          control={control}
          name="status"
          label={labels.status}
          options={[
            { value: 'ONLINE', text: states.online },
            { value: 'OFFLINE', text: states.offline },
          ]}
        />
        <FormSwitch control={control} name="isSold" label={labels.isSold} />
        {server && !server.needsCleaning && (
          <FormSwitch control={control} name="isReimaged" label="机器已重装：记住它下次连接时的主机密钥" />
        )}
        {server?.needsCleaning && (
          <Alert tone="warning">上一个订单已结束，机器待清理。重装完成后关闭“已售出”并保存，即可再次出售。</Alert>
        )}
      </Section>
    </>
  )
}
