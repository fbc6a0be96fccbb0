import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { Search } from 'lucide-react'
import { useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  TextField,
} from 'react-aria-components'
import styled from 'styled-components'
import { backdropClass, color, font, media, radius, shadow } from '../theme/tokens'
import '../ui/composed-keys'
import { Heard } from '../ui/heard-only'
import { Key } from '../ui/Key'
import type { Section } from './palette-section'
import { useSections } from './palette-sections'

/** Finds pages, servers, orders and acts. */
export default function Palette({ onClose, onShowKeys }: { onClose: () => void; onShowKeys: () => void }) {
  const [typed, setTyped] = useState('')
  const { sections, searching } = useSections(typed, onShowKeys)
  const isFound = sections.some(({ entries }) =>
    entries.some((entry) => contains([entry.label, entry.note, entry.by].join(' '), typed)),
  )

  return (
    <Backdrop isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Card>
        <Inner aria-label={verbs.search}>
          {/* The first that is found is said by itself. */}
          <Heard role="status">{!isFound && !searching && '没有结果'}</Heard>
          <Autocomplete filter={contains} inputValue={typed} onInputChange={setTyped}>
            {/* Typing begins at once. */}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
            <Box aria-label={text.searchEverything} autoFocus>
              <Search size={18} strokeWidth={1.75} aria-hidden />
              <Input placeholder={text.searchEverything} />
            </Box>
            {/* The focus stays in the box, so the scrolling part takes its own tab stop. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <Scroll tabIndex={0} role="group" aria-label="结果列表">
              <Found sections={sections} searching={searching} onChosen={onClose} />
            </Scroll>
          </Autocomplete>
          <Foot aria-hidden>
            <span>
              <Key>↑</Key> <Key>↓</Key> 选择
            </span>
            <span>
              <Key>Enter</Key> {verbs.open}
            </span>
            <span>
              <Key>Esc</Key> {verbs.close}
            </span>
          </Foot>
        </Inner>
      </Card>
    </Backdrop>
  )
}

interface FoundProps {
  sections: Section[]
  searching: boolean
  onChosen: () => void
}

function Found({ sections, searching, onChosen }: FoundProps) {
  return (
    <List
      aria-label="搜索结果"
      renderEmptyState={() => <None>{searching ? '正在搜索…' : '没有匹配的结果'}</None>}
      onAction={(key) => {
        onChosen()
        sections
          .flatMap(({ entries }) => entries)
          .find(({ id }) => id === key)
          ?.run()
      }}
    >
      {sections.map(({ name, entries }) => (
        <MenuSection key={name} id={name}>
          <Head>{name}</Head>
          {entries.map(({ id, label, note, by, icon: Icon }) => (
            <Item key={id} id={id} textValue={[label, note, by].join(' ')}>
              <Icon size={16} strokeWidth={1.75} aria-hidden />
              <span>{label}</span>
              {note && <small>{note}</small>}
            </Item>
          ))}
        </MenuSection>
      ))}
    </List>
  )
}

const contains = (text: string, typed: string) => text.toLowerCase().includes(typed.trim().toLowerCase())

const Backdrop = styled(ModalOverlay).attrs({ className: backdropClass })`
  position: fixed;
  inset: 0;
  z-index: 900;
  display: grid;
  justify-items: center;
  align-items: start;
  padding: 12vh 16px 16px;
  background: ${shadow.backdrop};

  ${media.phone} {
    padding-top: 16px;
  }
`

const Card = styled(Modal)`
  width: min(600px, 100%);
  border-radius: ${radius.dialog};
  background: ${color.raised};
  box-shadow: ${shadow.dialog};
`

const Inner = styled(Dialog)`
  outline: none;
`

const Box = styled(TextField)`
  display: flex;
  align-items: center;
  gap: 12px;
  height: 56px;
  padding: 0 20px;
  border-bottom: 1px solid ${color.line};
  color: ${color.text3};

  input {
    flex: 1;
    min-width: 0;
    height: 100%;
    border: 0;
    outline: none;
    background: transparent;
    color: ${color.text};
    ${font.md}
  }
`

const Scroll = styled.div`
  max-height: min(420px, 60vh, calc(var(--visual-viewport-height) - 12vh - 72px));
  overflow: auto;
`

const List = styled(Menu<object>)`
  padding: 8px;
  outline: none;
`

const Head = styled(Header)`
  padding: 8px 12px 4px;
  ${font.xs}
  color: ${color.text3};
`

const Item = styled(MenuItem)`
  display: flex;
  align-items: center;
  gap: 12px;
  min-height: 40px;
  padding: 0 12px;
  border-radius: ${radius.control};
  cursor: pointer;
  outline: none;

  svg {
    color: ${color.text3};
  }

  small {
    margin-left: auto;
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }

  &[data-focused] {
    background: ${color.primary.tint};

    svg {
      color: ${color.primary.text};
    }
  }

  ${media.phone} {
    min-height: 44px;
  }
`

const None = styled.p`
  padding: 24px 12px;
  text-align: center;
  color: ${color.text3};
`

const Foot = styled.div`
  display: flex;
  gap: 20px;
  padding: 10px 20px;
  border-top: 1px solid ${color.line};
  ${font.xs}
  color: ${color.text3};

  ${media.phone} {
    display: none;
  }
`
