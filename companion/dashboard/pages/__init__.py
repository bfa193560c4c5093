"""The pages, one blueprint each."""

from companion.dashboard.pages.album import blueprint as album
from companion.dashboard.pages.correct import blueprint as correct
from companion.dashboard.pages.enter import blueprint as enter
from companion.dashboard.pages.exports import blueprint as exports
from companion.dashboard.pages.fill import blueprint as fill
from companion.dashboard.pages.health import blueprint as health
from companion.dashboard.pages.lens import blueprint as lens
from companion.dashboard.pages.login import blueprint as login
from companion.dashboard.pages.phone import blueprint as phone
from companion.dashboard.pages.photo import blueprint as photo
from companion.dashboard.pages.photos import blueprint as photos
from companion.dashboard.pages.printing import blueprint as printing
from companion.dashboard.pages.reread import blueprint as reread
from companion.dashboard.pages.review import blueprint as review
from companion.dashboard.pages.settings import blueprint as settings
from companion.dashboard.pages.stream import blueprint as stream
from companion.dashboard.pages.table import blueprint as table
from companion.dashboard.pages.wizard import blueprint as wizard

BLUEPRINTS = (
    table,
    stream,
    correct,
    enter,
    fill,
    photos,
    review,
    reread,
    exports,
    album,
    photo,
    phone,
    login,
    settings,
    wizard,
    printing,
    lens,
    health,
)
