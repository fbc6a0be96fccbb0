import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { ImageView } from '@vps/shared/images.contract'
import { isoHours } from '@vps/shared/servers'
import { firmwares, firmwareWords, imageKinds } from '@vps/shared/images'
import { readinessKinds } from '@vps/shared/jobs'
import { useState } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import { resolverOf } from '../../../forms/resolver-of'
import { FormNumber, FormSelect, FormSwitch, FormText, Row } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { rereadOperations } from '../parts/reread'
import { kindWords, readinessWords } from './image-words'
import { empty, faultsOf, fetchedAnew, fields, inputOf, valuesOf, type Values } from './image-form'

const resolver = resolverOf(faultsOf)
const kinds = imageKinds.map((value) => ({ value, text: kindWords[value] }))
const firmwareOptions = firmwares.map((value) => ({ value, text: firmwareWords[value] }))
const proofs = readinessKinds.map((value) => ({ value, text: readinessWords[value] }))

/** How an image is got and installed. */
export default function ImageDialog({ image: opened, onClose }: { image: ImageView | null; onClose: () => void }) {
  // What the hosts have by now: after another's save, that.
  const [image, setImage] = useState(opened)
  const utils = trpc.useUtils()
  const create = trpc.images.create.useMutation()
  const update = trpc.images.update.useMutation()
  const form = useForm<Values>({ defaultValues: image ? valuesOf(image) : empty, resolver })
  return (
    <FormDialog
      title={image ? verbs.editImage : verbs.createImage}
      form={form}
      saved={image ? '镜像已更新' : '镜像已创建'}
      failed={image ? '更新镜像失败' : '创建镜像失败'}
      save={async (values) => {
        if (image) await update.mutateAsync({ ...inputOf(values), id: image.id })
        else await create.mutateAsync(inputOf(values))
        await rereadOperations(utils)
      }}
      {...(image ? { newer: { fields, read: () => readLatest(image.id) } } : {})}
      onClose={onClose}
    >
      <ImageFields control={form.control} image={image} />
    </FormDialog>
  )

  async function readLatest(id: string): Promise<Values> {
    const latest = await utils.images.get.fetch({ id }, { staleTime: 0 })
    setImage(latest)
    return valuesOf(latest)
  }
}

function ImageFields({ control, image }: { control: Control<Values>; image: ImageView | null }) {
  const [url, file, sha256, kind, firmware] = useWatch({
    control,
    name: ['url', 'file', 'sha256', 'kind', 'firmware'],
  })
  const fetched = Boolean(url?.trim())
  return (
    <>
      <Row>
        <FormText
          control={control}
          name="osName"
          label={kind === 'iso' ? labels.name : labels.osName}
          required
          autoComplete="off"
          placeholder="Debian"
        />
        <FormText
          control={control}
          name="osVersion"
          label={labels.version}
          required
          autoComplete="off"
          placeholder="12"
        />
      </Row>
      <FormSelect control={control} name="kind" label={labels.purpose} options={kinds} />
      <About kind={kind} />
      <FormText
        control={control}
        name="file"
        exact
        label={labels.fileName}
        required
        autoComplete="off"
        placeholder={kind === 'iso' ? 'debian-12-netinst.iso' : 'debian-12.qcow2'}
        help={`宿主机镜像目录中的文件名，以 ${kind === 'iso' ? '.iso' : '.qcow2、.img 或 .raw'} 结尾`}
      />
      <FormText
        control={control}
        name="url"
        label={labels.downloadAddress}
        type="url"
        autoComplete="off"
        placeholder={`https://mirror.example.com/debian-12.${kind === 'iso' ? 'iso' : 'qcow2'}`}
        help={
          fetched
            ? '各宿主机的代理会自动下载并核对，进度显示在列表中'
            : '填写后各宿主机自动下载；留空则需手动把文件放到每台宿主机的镜像目录'
        }
      />
      <FormText
        control={control}
        name="sha256"
        exact
        label="SHA-256 校验和"
        required={fetched}
        autoComplete="off"
        help={fetched ? '下载的文件与它一致才会使用' : '可留空；填写后使用前会核对文件'}
      />
      {fetchedAnew({ url, file, sha256 }, image) && (
        <Alert tone="warning">保存后各宿主机会重新核对并下载此文件，完成之前不能在该宿主机上使用它。</Alert>
      )}
      <Row>
        {kind !== 'iso' && (
          <>
            <FormSelect control={control} name="readiness" label={labels.readiness} options={proofs} />
            <FormText control={control} name="username" exact label={labels.username} required autoComplete="off" />
            <FormNumber control={control} name="minDiskGb" label={labels.minDisk} whole unit="GB" />
          </>
        )}
        {(kind === 'system' || firmware === 'uefi') && (
          <FormSelect control={control} name="firmware" label={labels.firmware} options={firmwareOptions} />
        )}
        <FormNumber control={control} name="sortOrder" label={labels.sortOrder} whole />
      </Row>
      <FormSwitch control={control} name="isActive" label={labels.isActive} />
    </>
  )
}

function About({ kind }: { kind: Values['kind'] }) {
  if (kind === 'rescue')
    return (
      <Alert tone="info">
        不出售。宿主机上有它时，客户可以在控制台进入救援模式；有多个时使用排序最前的。系统需支持 cloud-init，并以 root
        通过 SSH 登录。
      </Alert>
    )
  if (kind !== 'iso') return null
  return (
    <Alert tone="info">
      不出售。宿主机上有它时，客户可以在控制台把它插入光驱，从它启动或自行安装系统，{isoHours} 小时后自动弹出。
    </Alert>
  )
}
