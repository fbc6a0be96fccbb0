import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { placesOf } from '@vps/shared/places'
import type { SiteSettings } from '@vps/shared/site'
import { useState } from 'react'
import styled from 'styled-components'
import { siteNames } from '../../../about/site-names'
import { trpc } from '../../../api/trpc'
import { media } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { Card, Panel } from '../../../ui/Card'
import { Facts, type Fact } from '../../../ui/Facts'
import { Page } from '../../../ui/Page'
import { Bar, Failed, Loading } from '../../../ui/states'
import { dateTimeText, Dim } from '../../../ui/Time'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { BackupStorageCard } from './BackupStorageCard'
import { Note } from './Note'
import { ReverseDnsCard } from './ReverseDnsCard'
import { SectionDialog } from './SectionDialog'
import { sections, type Section } from './sections'

/** 网站设置: in force as soon as saved. */
export default function SettingsPage() {
  return (
    <AdminOnly title={labels.siteSettings} denied={operationsDenied}>
      <Settings />
    </AdminOnly>
  )
}

function Settings() {
  const utils = trpc.useUtils()
  const site = trpc.site.get.useQuery()
  const [edited, setEdited] = useState<Section | null>(null)
  const readAgain = () => {
    for (const part of [utils.site, utils.backupRepository, utils.reverseDns]) void part.invalidate()
  }
  return (
    <Page
      title={labels.siteSettings}
      note={site.data?.savedAt && `${site.data.savedBy} 保存于 ${dateTimeText(site.data.savedAt)}`}
      width="form"
      refresh={{ updatedAt: site.dataUpdatedAt, busy: site.isFetching, run: readAgain }}
    >
      {site.data ? (
        <Stack>
          {sections.map((section) => (
            <Card
              key={section.title}
              title={section.title}
              actions={
                <Button size="sm" aria-label={`${verbs.edit}${section.title}`} onClick={() => setEdited(section)}>
                  {verbs.edit}
                </Button>
              }
            >
              <Note>{section.note}</Note>
              <Facts facts={section.names.map((name) => factOf(name, site.data[name]))} />
            </Card>
          ))}
          <BackupStorageCard />
          <ReverseDnsCard />
          {edited && <SectionDialog section={edited} site={site.data} onClose={() => setEdited(null)} />}
        </Stack>
      ) : site.isError ? (
        <Panel>
          <Failed title="加载网站设置失败" error={site.error} onRetry={() => void site.refetch()} />
        </Panel>
      ) : (
        <Loading label="正在加载网站设置">
          <Panel as="div">
            <Bar $height={240} />
          </Panel>
        </Loading>
      )}
    </Page>
  )
}

function factOf(name: keyof SiteSettings, value: string | boolean): Fact {
  if (typeof value === 'boolean') return [siteNames[name], value ? labels.shown : labels.notShown]
  if (name === 'places' && value)
    return [
      siteNames[name],
      placesOf(value)
        .map((place) => place.name)
        .join('、'),
    ]
  if (value.includes('\n')) return [siteNames[name], `${value.length} 字`]
  const shown = value || <Dim>{labels.notShown}</Dim>
  return [siteNames[name], shown]
}

const Stack = styled.div`
  display: grid;
  gap: 16px;

  dl > div {
    grid-template-columns: 136px minmax(0, 1fr);
  }

  ${media.phone} {
    gap: 12px;
  }
`
