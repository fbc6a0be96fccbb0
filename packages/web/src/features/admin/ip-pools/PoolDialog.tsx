import { poolInput } from '@vps/shared/fleet'
import { useForm } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { contractResolver } from '../parts/contract-resolver'
import { FormText } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'

interface Values {
  name: string
  network: string
  gateway: string
  dns: string
}

const byContract = contractResolver(poolInput)

/** Makes a pool; its addresses are written out at once, so the network cannot be changed later. */
export default function PoolDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.admin.operations.createPool.useMutation()
  const form = useForm<Values>({
    defaultValues: { name: '', network: '', gateway: '', dns: '' },
    resolver: async (values, context, options) => {
      const { errors } = await byContract(inputOf(values), context, options as never)
      if (Object.keys(errors).length === 0) return { values, errors: {} }
      // A bad server among several is told at the one field that they share.
      const dns = 'dns' in errors ? { dns: { type: 'rule', message: 'IP地址格式不正确，最多 4 个' } } : {}
      return { values: {}, errors: { ...(errors as object), ...dns } }
    },
  })
  const { control } = form
  return (
    <FormDialog
      title="新增 IP 池"
      form={form}
      saved="IP 池已创建"
      failed="创建 IP 池失败"
      taken={{ field: 'network', message: '名称或其中的地址已存在于其他池' }}
      save={async (values) => {
        await create.mutateAsync(inputOf(values))
        await utils.admin.operations.invalidate()
      }}
      onClose={onClose}
    >
      <FormText control={control} name="name" label="名称" required maxLength={100} autoComplete="off" />
      <FormText
        control={control}
        name="network"
        label="网段"
        required
        autoComplete="off"
        placeholder="203.0.113.0/24"
        help="CIDR 格式，IPv4 或 IPv6，最多写入 4096 个地址；网络地址、广播地址和网关除外"
      />
      <FormText control={control} name="gateway" label="网关" autoComplete="off" placeholder="203.0.113.1" />
      <FormText
        control={control}
        name="dns"
        label="DNS"
        autoComplete="off"
        placeholder="223.5.5.5，119.29.29.29"
        help="用逗号分隔，最多 4 个"
      />
    </FormDialog>
  )
}

const inputOf = ({ name, network, gateway, dns }: Values) => ({
  name,
  network,
  gateway: gateway.trim() || null,
  dns: dns
    .split(/[,，、\s]+/)
    .map((server) => server.trim())
    .filter(Boolean),
})
