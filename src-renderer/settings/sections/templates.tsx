import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  NO_SENTENCE,
  TEMPLATE_DEFAULTS,
  TEMPLATE_NAMES,
  TEMPLATE_PLACEHOLDERS,
  type TemplateName,
} from '../../../src-main/context/templates-contract'
import { Swatch } from '../../context/context-bar/usage-bar'
import { TokenCount } from '../../context/text-editor/token-count'
import { useSavedText } from '../../context/text-editor/use-saved-text'
import { langOf } from '../../i18n/format'
import { Mark } from '../../ui/badge'
import { LinkButton } from '../../ui/button'
import { TextArea } from '../../ui/field'
import { updateSettings, useSettings } from '../settings-store'

/** The sentences that go in with a block, each editable, with the built-in one a click away. */
export function Templates() {
  const { t } = useTranslation('settings')
  return (
    <section>
      <h2 className="set-h2">{t('templates.title')}</h2>
      <p className="set-lead mid">{t('templates.help')}</p>
      {TEMPLATE_NAMES.map((name) => (
        <Template key={name} name={name} />
      ))}
    </section>
  )
}

function Template({ name }: { name: TemplateName }) {
  const { t, i18n } = useTranslation('settings')
  const id = useId()
  const language = useSettings((state) => state.settings?.general.promptLanguage ?? 'interface')
  const own = useSettings((state) => state.settings?.context.templates[name] ?? '')
  const spoken = language === 'interface' ? (i18n.language === 'zh-CN' ? 'zh-CN' : 'en') : language
  const builtIn = TEMPLATE_DEFAULTS[spoken][name]
  const text = useSavedText({
    id: `template:${name}`,
    name: t(`templates.name.${name}`),
    stored: own === NO_SENTENCE ? '' : own || builtIn,
    save: (next) => updateSettings({ context: { templates: { [name]: storedAs(next, builtIn) } } }),
  })
  const changed = text.value !== builtIn
  const names: readonly string[] = TEMPLATE_PLACEHOLDERS[name]
  return (
    <div className="set-row below">
      <div className="set-words">
        <label htmlFor={id} className="row template-name">
          <Swatch segment={name === 'app_prefix' ? 'app' : name} />
          {t(`templates.name.${name}`)}
          <Mark tone={changed ? 'set' : 'plain'}>
            {!changed ? t('templates.builtIn') : text.value.trim() ? t('templates.own') : t('templates.silent')}
          </Mark>
        </label>
      </div>
      <div className="set-control">
        <TokenCount text={text.value} />
        {changed && <LinkButton onClick={() => text.change(builtIn)}>{t('reset')}</LinkButton>}
      </div>
      <div className="set-below">
        <TextArea
          id={id}
          rows={2}
          growTo={220}
          lang={langOf(text.value)}
          value={text.value}
          onChange={(event) => text.change(event.target.value)}
          onBlur={text.flush}
        />
        {names.length > 0 && (
          <p className="set-count dim small">
            {t('templates.placeholders', { names: '' })}
            {names.map((each) => (
              <code key={each} className="macro">{`{${each}}`}</code>
            ))}
          </p>
        )}
      </div>
    </div>
  )
}

/** '' stands for the built-in sentence, a lone space for none at all. */
export function storedAs(typed: string, builtIn: string): string {
  if (typed === builtIn) return ''
  return typed.trim() === '' ? NO_SENTENCE : typed
}
