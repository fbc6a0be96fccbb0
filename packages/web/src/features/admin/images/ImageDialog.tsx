import { imageInput, type ImageView } from '@vps/shared/fleet'
import { readinessKinds } from '@vps/shared/jobs'
import { useForm } from 'react-hook-form'
import { trpc, type Inputs } from '../../../api/trpc'
import { contractResolver } from '../parts/contract-resolver'
import { FormNumber, FormSelect, FormSwitch, FormText, Row } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { readinessWords } from './readiness-words'

type Values = Inputs['admin']['operations']['createImage']

const byContract = contractResolver<Values>(imageInput, ['minDiskGb', 'sortOrder'])
const proofs = readinessKinds.map((value) => ({ value, text: readinessWords[value] }))

/** Makes an operating system choosable, or changes how it is installed. */
export function ImageDialog({ image, onClose }: { image: ImageView | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.admin.operations.createImage.useMutation()
  const update = trpc.admin.operations.updateImage.useMutation()
  const form = useForm<Values>({
    defaultValues: image ? valuesOf(image) : empty,
    resolver: (values, context, options) => byContract(withoutBlankSum(values), context, options),
  })
  const { control } = form
  return (
    <FormDialog
      title={image ? '编辑镜像' : '新增镜像'}
      form={form}
      saved={image ? '镜像已更新' : '镜像已创建'}
      failed={image ? '更新镜像失败' : '创建镜像失败'}
      taken={{ field: 'osName', message: '该系统版本或文件已存在' }}
      save={async (values) => {
        if (image) await update.mutateAsync({ ...values, id: image.id })
        else await create.mutateAsync(values)
        await utils.admin.operations.invalidate()
      }}
      onClose={onClose}
    >
      <Row>
        <FormText control={control} name="osName" label="系统名称" required autoComplete="off" placeholder="Debian" />
        <FormText control={control} name="osVersion" label="版本" required autoComplete="off" placeholder="12" />
      </Row>
      <FormText
        control={control}
        name="file"
        label="文件名"
        required
        autoComplete="off"
        placeholder="debian-12.qcow2"
        help="放在宿主机的镜像目录中，代理会报告哪些宿主机拥有它"
      />
      <FormText
        control={control}
        name="sha256"
        label="SHA-256 校验和"
        autoComplete="off"
        help="可留空；填写后安装前会核对文件"
      />
      <Row>
        <FormSelect control={control} name="readiness" label="就绪判定" options={proofs} />
        <FormText control={control} name="username" label="用户名" required autoComplete="off" />
        <FormNumber control={control} name="minDiskGb" label="最小磁盘" required whole unit="GB" />
        <FormNumber control={control} name="sortOrder" label="排序" required whole />
      </Row>
      <FormSwitch control={control} name="isActive" label="启用" />
    </FormDialog>
  )
}

const empty: Values = {
  osName: '',
  osVersion: '',
  file: '',
  sha256: '',
  readiness: 'ssh',
  username: 'root',
  minDiskGb: 5,
  isActive: true,
  sortOrder: 0,
}

const valuesOf = (image: ImageView): Values => ({
  osName: image.osName,
  osVersion: image.osVersion,
  file: image.file,
  sha256: image.sha256 ?? '',
  readiness: image.readiness,
  username: image.username,
  minDiskGb: image.minDiskGb,
  isActive: image.isActive,
  sortOrder: image.sortOrder,
})

const withoutBlankSum = (values: Values): Values => ({ ...values, sha256: values.sha256?.trim() || null })
