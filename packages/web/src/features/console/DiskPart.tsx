import * as labels from '@vps/shared/labels'
import type { ConsoleServer } from '../../servers/console-server'
import { Card } from '../../ui/Card'
import { Facts } from '../../ui/Facts'
import { BackupsCard } from './BackupsCard'
import { BuyBackupsCard } from './BuyBackupsCard'
import { hasBackups, offersSnapshots, type OnUpgrade } from './console-parts'
import { ElsewhereCard } from './ElsewhereCard'
import { IsoCard } from './IsoCard'
import { SnapshotsCard } from './SnapshotsCard'

/** The disk, its drive, and the ways back. */
export function DiskPart({ server, onUpgrade }: { server: ConsoleServer; onUpgrade: OnUpgrade }) {
  return (
    <>
      <Card title={labels.disk}>
        <Facts
          columns={2}
          facts={[
            [labels.storage, `${server.storageGb} GB`],
            [labels.diskType, server.diskType || null],
          ]}
        />
      </Card>
      <IsoCard server={server} />
      {offersSnapshots(server) && <SnapshotsCard server={server} />}
      {hasBackups(server) && <BackupsCard server={server} />}
      <ElsewhereCard server={server} />
      {/* Comes last, as plans are read: nothing lies below it that would move. */}
      {!hasBackups(server) && <BuyBackupsCard server={server} onUpgrade={onUpgrade} />}
    </>
  )
}
