# SPDX-License-Identifier: Apache-2.0
"""Texts of the centre as a phone that is not registered reads them."""

from centre import hold
from safe_phone import SafePhone

# Rights in two languages, one that is hidden, and places of help: the nearest is the last that was written.
TEXTS = [
    {"section": "rights", "language": "en", "title": "You may say no", "text": "# Nobody may hit you\n\n- **Call** [116 016](tel:116016)\n- <script>document.title = 'broken'</script>"},
    {"section": "rights", "language": "de", "title": "Sie dürfen nein sagen", "text": "Niemand darf Sie schlagen."},
    {"section": "rights", "language": "en", "title": "Not ready", "text": "Draft", "isShown": False},
    {"section": "resources", "language": "en", "title": "Helpline", "text": "Day and night.", "phone": "116 016"},
    {"section": "resources", "language": "en", "title": "Far house", "text": "Ring twice.", "address": "2 High Street", "latitude": 51.75, "longitude": -0.39},
    {"section": "resources", "language": "en", "title": "Near house", "text": "", "latitude": 51.657, "longitude": -0.3903},
]


class Stranger(SafePhone):
    """Somebody who has no account."""

    def is_closed_without_sms(self):
        self.page.has("This centre sends no codes by SMS.", "main")
        self.page.has("It does not call 112.", "main")
        hold(not self.page.evaluate("document.querySelector('#send-code').checkVisibility()"), "no code is offered")
        self.looked_at("safe-closed")

    def reads_rights_unregistered(self):
        """A stranger's phone reads the texts, its own language first; a program in one is a text, and hidden ones are not there."""
        self.page.press("Know your rights", within="#public-ways")
        self.page.has("You may say no", "#rights")
        self.page.has("Sie dürfen nein sagen", "#rights")
        hold("Not ready" not in self.page.text("#rights"), "a hidden text is not shown")
        self.looked_at("safe-rights")
        self.page.press("You may say no", within="#rights")
        self.page.has("Nobody may hit you", "#text")
        self.page.has("<script>", "#text")
        hold(self.page.evaluate("document.querySelector('#text-body a').getAttribute('href')") == "tel:116016", "a number in it can be called")
        self.looked_at("safe-text")
        self.page.press("Back to the list", within="#text")
        self.page.press("Back to the button", within="#rights")

    def finds_help_unregistered(self):
        self.page.press("Help near me", within="#public-ways")
        self.page.wait_for("[...document.querySelectorAll('#help-list h2')].map((e) => e.innerText).join() === 'Near house,Far house,Helpline'", what="the nearest place is the first")
        self.page.has("from here", "#help-list")
        hold(self.page.evaluate("document.querySelector('#help-list a[href^=tel]').getAttribute('href')") == "tel:116016", "the helpline can be called")
        hold(self.page.evaluate("[...document.querySelectorAll('#help-list > li')].map((e) => e.querySelector('[aria-label^=\"Way there\"]')?.getAttribute('href').includes('51.657000') ?? null).join()") == "true,false,", "each place on the map has a way there")
        self.page.wait_for("document.querySelector('#help-map place-map')?.dataset.with", what="the map is there")
        self.looked_at("safe-help")
        self.page.press("Back to the button", within="#help")
        self.page.has("This centre sends no codes by SMS.", "main")
