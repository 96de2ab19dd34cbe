"""Headless Chromium for the tests of pages. A script that imports it ends with status 77 where python3-selenium, chromium or chromium-driver is
missing."""

import os
import shutil
import sys

try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    from selenium.webdriver.chrome.service import Service
except ImportError:
    system = "/usr/bin/python3"  # the distribution's package is for the distribution's Python
    if "VOLPT_BROWSER_AGAIN" not in os.environ and os.path.exists(system):
        os.execve(system, [system, "-B", *sys.argv], os.environ | {"VOLPT_BROWSER_AGAIN": "1"})
    print("skipped: Selenium is not installed (Debian package python3-selenium)")
    sys.exit(77)

__all__ = ["ActionChains", "By", "Keys", "ScrollOrigin", "start_browser"]


def find_browser():
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        print("skipped: no chromium or no chromedriver (Debian packages chromium, chromium-driver)")
        sys.exit(77)
    return browser, driver


def start_browser(folder):
    browser, driver = find_browser()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's own needs another user than root
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    page = webdriver.Chrome(service=Service(driver), options=options)
    page.set_script_timeout(30)
    page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    return page
