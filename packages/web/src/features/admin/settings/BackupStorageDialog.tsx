import { asksForLogin, repositoryKind } from '@vps/shared/backups'
import { backupRepositoryInput } from '@vps/shared/backups.contract'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { useForm, useWatch } from 'react-hook-form'
import { trpc, type Inputs, type Outputs } from '../../../api/trpc'
import { contractFaults } from '../../../forms/contract-faults'
import { resolverOf } from '../../../forms/resolver-of'
import { FormNumber, FormText } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'

type Values = Inputs['backupRepository']['save']
type Storage = Outputs['backupRepository']['get']

const resolver = resolverOf<Values>((values) => contractFaults(backupRepositoryInput, sent(values)))
const loginNames = { s3: ['Access Key', 'Secret Key'], rest: [labels.username, '登录密码'] } as const

/** An empty password stays as it is, where the address does. */
export function BackupStorageDialog({ storage, onClose }: { storage: Storage; onClose: () => void }) {
  const utils = trpc.useUtils()
  const save = trpc.backupRepository.save.useMutation()
  const form = useForm<Values>({ defaultValues: valuesOf(storage), resolver })
  const { control } = form
  const url = useWatch({ control, name: 'url' })
  const kind = repositoryKind(url.trim())
  const [name, secret] = loginNames[kind === 's3' ? 's3' : 'rest']
  const kept = storage.url !== null && url.trim() === storage.url
  const unchanged = kept ? text.unchangedWhenEmpty : undefined
  return (
    <FormDialog
      title={labels.backupStorage}
      width={640}
      form={form}
      saved="备份存储已更新"
      failed="更新备份存储失败"
      save={async (values) => {
        await save.mutateAsync(sent(values))
        await utils.backupRepository.invalidate()
      }}
      newer={{
        fields: [
          { name: 'url', label: labels.address },
          { name: 'username', label: labels.username },
          { name: 'uploadLimitKib', label: labels.uploadLimit },
        ],
        read: async () => valuesOf(await utils.backupRepository.get.fetch(undefined, { staleTime: 0 })),
      }}
      onClose={onClose}
    >
      <FormText
        control={control}
        name="url"
        label={labels.address}
        required
        autoComplete="off"
        exact
        maxLength={500}
        placeholder="sftp:backup@203.0.113.9:/srv/backups"
        help="/文件夹、sftp:用户@主机:/文件夹、s3:https://主机/存储桶 或 rest:https://主机/"
      />
      {asksForLogin(kind) && (
        <>
          <FormText control={control} name="username" exact label={name} autoComplete="off" maxLength={200} />
          <FormText
            control={control}
            name="loginPassword"
            label={secret}
            password
            autoComplete="new-password"
            help={unchanged}
          />
        </>
      )}
      <FormText
        control={control}
        name="password"
        label="加密密码"
        password
        required={!kept}
        autoComplete="new-password"
        help={`${kept ? '留空表示不修改。' : ''}请另行保存：没有它，任何人都无法恢复这里的备份。`}
      />
      <FormNumber
        control={control}
        name="uploadLimitKib"
        label={labels.uploadLimit}
        unit="KiB/s"
        whole
        help="每台宿主机备份时的上传速度，0 为不限"
      />
    </FormDialog>
  )
}

/** Without a login typed for another kind of address. */
const sent = (values: Values): Values =>
  asksForLogin(repositoryKind(values.url.trim())) ? values : { ...values, username: '', loginPassword: null }

const valuesOf = ({ url, username, uploadLimitKib, version }: Storage): Values => ({
  url: url ?? '',
  username,
  password: '',
  loginPassword: '',
  uploadLimitKib,
  version,
})
