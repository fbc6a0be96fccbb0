import * as labels from '@vps/shared/labels'
import { reverseDnsInput, type ReverseDnsView } from '@vps/shared/reverse-names.contract'
import * as text from '@vps/shared/text'
import { useForm, useWatch } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { contractFaults, type Faults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import { FormArea, FormSwitch, FormText } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'

type Values = { url: string; key: string; zones: string; mustResolve: boolean; version: number }

const resolver = resolverOf<Values>((values) => faultsOf(contractFaults(reverseDnsInput, sent(values))))

interface Props {
  view: ReverseDnsView
  onSaved: () => void
  onClose: () => void
}

/** An empty key stays as it is, where the address does. */
export function ReverseDnsDialog({ view, onSaved, onClose }: Props) {
  const utils = trpc.useUtils()
  const save = trpc.reverseDns.save.useMutation()
  const form = useForm<Values>({ defaultValues: valuesOf(view), resolver })
  const { control } = form
  const url = useWatch({ control, name: 'url' })
  const kept = view.url !== null && url.trim().replace(/\/+$/, '') === view.url
  return (
    <FormDialog
      title={labels.reverseDns}
      width={640}
      form={form}
      saved="反向解析服务器已更新"
      failed="更新反向解析服务器失败"
      save={async (values) => {
        await save.mutateAsync(sent(values))
        onSaved()
        await utils.reverseDns.invalidate()
      }}
      newer={{
        fields: [
          { name: 'url', label: labels.address },
          { name: 'zones', label: labels.reverseZones },
          { name: 'mustResolve', label: labels.mustResolve },
        ],
        read: async () => valuesOf(await utils.reverseDns.get.fetch(undefined, { staleTime: 0 })),
      }}
      onClose={onClose}
    >
      <FormText
        control={control}
        name="url"
        exact
        label={labels.address}
        placeholder="http://10.0.0.2:8081"
        required
        maxLength={500}
        autoComplete="off"
        help="PowerDNS 的 HTTP API，不含 /api/v1。内网地址需先在 ALLOWED_NETWORKS 中放行。"
      />
      <FormText
        control={control}
        name="key"
        label="API 密钥"
        password
        required={!kept}
        autoComplete="new-password"
        help={kept ? text.unchangedWhenEmpty : undefined}
      />
      <FormArea
        control={control}
        name="zones"
        label={labels.reverseZones}
        required
        rows={4}
        exact
        help="每行一个，例如 2.0.192.in-addr.arpa、0/26.2.0.192.in-addr.arpa 或 8.b.d.0.1.0.0.2.ip6.arpa"
      />
      <FormSwitch control={control} name="mustResolve" label={labels.mustResolve} />
    </FormDialog>
  )
}

const sent = ({ zones, ...values }: Values) => ({
  ...values,
  zones: zones.split(/[\s,，、;；]+/).filter((zone) => zone !== ''),
})

function faultsOf(faults: Faults): Faults {
  const zone = Object.entries(faults).find(([name]) => name.startsWith('zones.'))?.[1]
  const others = Object.entries(faults).filter(([name]) => !name.startsWith('zones.'))
  return { ...Object.fromEntries(others), ...(zone === undefined ? {} : { zones: zone }) }
}

const valuesOf = ({ url, zones, mustResolve, version }: ReverseDnsView): Values => ({
  url: url ?? '',
  key: '',
  zones: zones.join('\n'),
  mustResolve,
  version,
})
