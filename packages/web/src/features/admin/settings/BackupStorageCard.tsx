import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import styled from 'styled-components'
import { messageOf } from '../../../api/errors'
import { silenceLookMs } from '../../../api/look-again'
import { trpc, type Outputs } from '../../../api/trpc'
import { color, font, radius } from '../../../theme/tokens'
import { Chip } from '../../../ui/Chip'
import { factIf, Facts } from '../../../ui/Facts'
import { dateTimeText, Dim } from '../../../ui/Time'
import { toast } from '../../../ui/toast'
import { BackupStorageDialog } from './BackupStorageDialog'
import { ServiceCard } from './ServiceCard'

/** Without the password. */
export function BackupStorageCard() {
  const repository = trpc.backupRepository.get.useQuery()
  const clear = trpc.backupRepository.clear.useMutation()
  const test = trpc.backupRepository.test.useMutation()
  const isRunning = repository.data?.test?.state === 'RUNNING'
  async function runTest() {
    try {
      await test.mutateAsync({})
      await repository.refetch()
    } catch (error) {
      toast(messageOf(error, '测试备份存储失败'), 'error')
    }
  }
  return (
    <ServiceCard
      title={labels.backupStorage}
      note="所有宿主机的备份都加密保存在这里。没有设置时既不出售也不进行备份。每台宿主机需安装 restic，SFTP 使用宿主机自己的 SSH 密钥登录。"
      read={repository}
      testing={test.isPending || isRunning}
      onTest={() => void runTest()}
      editor={(storage, close) => <BackupStorageDialog storage={storage} onClose={close} />}
      afterwards="不再出售备份，已购买的定时备份和手动备份也会停止。已有的备份仍在原处，仍可恢复。"
      onClear={(version) => clear.mutateAsync({ version })}
    >
      {(storage) => (
        <>
          <Stored storage={storage} />
          {isRunning && <UntilAnswered />}
        </>
      )}
    </ServiceCard>
  )
}

type Storage = Outputs['backupRepository']['get']

const Stored = ({ storage: { url, username, uploadLimitKib, test, check } }: { storage: Storage }) => (
  <Facts
    facts={[
      [labels.address, url ?? <Dim key="address">{states.notSet}</Dim>, url === null ? undefined : 'mono'],
      ...factIf(username, labels.username, username),
      [labels.uploadLimit, uploadLimitKib > 0 ? `每台宿主机 ${uploadLimitKib} KiB/s` : labels.unlimited],
      ...factIf(url, '上次测试', test ? <Test key="test" test={test} /> : <Dim key="test">尚未测试</Dim>),
      ...factIf(url ?? check.servers, '每周检查', <Check key="check" check={check} />),
    ]}
  />
)

const testLooks = {
  RUNNING: { tone: 'info', word: '正在测试' },
  OK: { tone: 'success', word: '通过' },
  FAILED: { tone: 'error', word: '未通过' },
} as const

function Test({ test: { state, hostName, testedAt, words, detail } }: { test: NonNullable<Storage['test']> }) {
  const { tone, word } = testLooks[state]
  return (
    <Found role="status">
      <Chip tone={tone} busy={state === 'RUNNING'}>
        {word}
      </Chip>
      <span>{words}</span>
      <small>
        {hostName}
        {testedAt && ` · ${dateTimeText(testedAt)}`}
      </small>
      {detail && <code>{detail}</code>}
    </Found>
  )
}

const Check = ({ check: { words, damaged, late, lastAt } }: { check: Storage['check'] }) => (
  <Found>
    {damaged + late > 0 && <Chip tone={damaged > 0 ? 'error' : 'warning'}>需要处理</Chip>}
    <span>{words}</span>
    {lastAt && <small>最近一次 {dateTimeText(lastAt)}</small>}
  </Found>
)

/** Its host may have fallen silent, and then nobody tells. */
function UntilAnswered() {
  trpc.backupRepository.get.useQuery(undefined, { refetchInterval: silenceLookMs })
  return null
}

const Found = styled.div`
  display: grid;
  justify-items: start;
  gap: 2px;

  small {
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  code {
    max-height: 120px;
    overflow: auto;
    padding: 8px;
    border-radius: ${radius.control};
    background: ${color.sunken};
    ${font.xs}
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`
