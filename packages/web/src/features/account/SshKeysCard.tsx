import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import type { SshKeyView } from '@vps/shared/accounts.contract'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color } from '../../theme/tokens'
import { Refusal } from '../../ui/Refusal'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Confirm } from '../../ui/Confirm'
import { Dialog } from '../../ui/Dialog'
import { TextArea, TextField } from '../../ui/Field'
import { Bar, Failed } from '../../ui/states'
import { dateText } from '../../ui/Time'
import { SaveButtons } from '../../ui/SaveButtons'
import { toast } from '../../ui/toast'
import { RowList } from './RowList'
import { unlessGone } from './unless-gone'
import { useDialogForm } from './use-dialog-form'

/** Public keys for servers. */
export function SshKeysCard() {
  const utils = trpc.useUtils()
  const keys = trpc.accounts.sshKeys.useQuery()
  // It may be done where no answer came.
  const remove = trpc.accounts.removeSshKey.useMutation({ onError: () => void utils.accounts.sshKeys.invalidate() })
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<SshKeyView | null>(null)

  return (
    <Card
      title={labels.sshKeys}
      note="购买和重装系统时可以选用"
      actions={
        <Button size="sm" icon={<Plus size={14} strokeWidth={1.75} aria-hidden />} onClick={() => setAdding(true)}>
          {verbs.create}
        </Button>
      }
    >
      {keys.isError && !keys.data ? (
        <Failed title="加载SSH密钥失败" error={keys.error} onRetry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <Bar $height={64} />
      ) : keys.data.length === 0 ? (
        <Quiet>还没有密钥。用密钥登录比密码更安全，也更方便。</Quiet>
      ) : (
        <RowList>
          {keys.data.map((key) => (
            <li key={key.id}>
              <KeyRound size={20} strokeWidth={1.75} aria-hidden />
              <div>
                <span>{key.name}</span>
                <small>{key.fingerprint}</small>
                <small>{dateText(key.createdAt)} 添加</small>
              </div>
              <Button size="sm" aria-label={`${verbs.remove} ${key.name}`} onClick={() => setRemoving(key)}>
                {verbs.remove}
              </Button>
            </li>
          ))}
        </RowList>
      )}
      {adding && <AddDialog onClose={() => setAdding(false)} />}
      <Confirm
        open={removing !== null}
        danger
        title="删除SSH密钥"
        confirmLabel={verbs.confirmRemove}
        onClose={() => setRemoving(null)}
        onConfirm={async () => {
          if (removing) await unlessGone(remove.mutateAsync({ id: removing.id }))
          toast('SSH密钥已删除', 'success')
          await utils.accounts.sshKeys.invalidate()
        }}
      >
        <p>
          密钥 <b>{removing?.name}</b> 将从账户中删除。已经装在服务器上的公钥不受影响。
        </p>
      </Confirm>
    </Card>
  )
}

interface Values {
  name: string
  publicKey: string
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const add = trpc.accounts.addSshKey.useMutation({ onError: () => void utils.accounts.sshKeys.invalidate() })
  const { form, problem, busy, submit } = useDialogForm<Values>({
    contract: 'addSshKeyInput',
    empty: { name: '', publicKey: '' },
    failed: 'SSH密钥添加失败',
    send: async (values, isOpen) => {
      await add.mutateAsync(values)
      toast('SSH密钥已添加', 'success')
      await utils.accounts.sshKeys.invalidate()
      if (isOpen()) onClose()
    },
  })
  const { errors } = form.formState

  return (
    <Dialog
      sticky
      title="新增SSH密钥"
      open
      width={560}
      onClose={onClose}
      footer={<SaveButtons form="ssh-key" busy={busy} onCancel={onClose} />}
    >
      <Fields id="ssh-key" onSubmit={submit}>
        <TextField label={labels.name} maxLength={100} error={errors.name?.message} {...form.register('name')} />
        <TextArea
          label="公钥"
          help="粘贴 ~/.ssh/id_ed25519.pub 的内容，以 ssh-ed25519 或 ssh-rsa 开头"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          error={errors.publicKey?.message}
          {...form.register('publicKey')}
        />
        {problem && <Refusal>{problem}</Refusal>}
      </Fields>
    </Dialog>
  )
}

const Quiet = styled.p`
  color: ${color.text3};
`

const Fields = styled.form`
  display: grid;
  gap: 16px;
`
